// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that are a pointer at one time and a float at another: those of a
// buffer for small objects (std::function), of a union, of a slot for `void *`
// that is used for a double. Types may have seen one use only.
#include "Analysis/Activity/Model.h"
#include "adze/FloatsInAddresses.h"
#include "adze/OwnFunction.h"
#include "adze/Primal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// Types see both a pointer and a float right behind \p Ptr.
static bool isFloatAndPointer(const TypeInfo &Types, const Value *Ptr) {
  bool Float = false, Pointer = false;
  const TypeTree Behind = Types.treeOf(Ptr).pointeeAt(0);
  for (const TypeFact &F : Behind.facts()) {
    const TypePlace &P = F.Place;
    if (P.Start != 0)
      continue;
    Float |= F.Type.isFloat();
    Pointer |= F.Type.isPointer();
  }
  return (Float && Pointer) || isOfMixedObject(Ptr, Types);
}

static bool isPointerOrUnknown(const BlockLayout &Layout) {
  return all_of(Layout.Ranges, [](const TypedRange &R) {
    return R.Type.isPointer() || !R.Type.isKnown();
  });
}

/// A pointer of which nothing else is known, in a function of which callers may
/// know more: it may be a float to them.
static bool mayBeAnyWord(const Value *V, const TypeInfo &Types) {
  return V->getType()->isPointerTy() &&
         Types.treeOf(V).pointeeAt(0).isUnknown();
}

bool Model::isMovedWord(const Value *V) const {
  auto *Load = dyn_cast<LoadInst>(V);
  const uint64_t Word = DL.getPointerSize();
  // A derivative copies words as its primal does, which is known to stand on
  // their grid; what else it does with words are moves (WordMoves.h).
  const bool Own = isOwn(*P.Source);
  auto onGrid = [&](Align A) { return Own || A >= Word; };
  if (!Load || !Types || !Load->isSimple() || Word != sizeof(uint64_t) ||
      !onGrid(Load->getAlign()) || !DL.getTypeStoreSize(V->getType()).isFixed())
    return false;
  bool Pointers = V->getType()->isPtrOrPtrVectorTy();
  if (!Pointers && (!V->getType()->isIntOrIntVectorTy() ||
                    DL.getTypeStoreSize(V->getType()) % Word != 0 ||
                    V->getType()->getScalarSizeInBits() % (Word * 8) != 0))
    return false;
  bool Both = isFloatAndPointer(*Types, Load->getPointerOperand());
  bool Stored = false;
  for (const User *U : V->users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (Store && Store->getValueOperand() == V) {
      if (!Store->isSimple() || !onGrid(Store->getAlign()))
        return false;
      Stored = true;
      Both |= isFloatAndPointer(*Types, Store->getPointerOperand());
    } else if (!Pointers && !isa<ICmpInst>(U)) {
      return false;
    }
  }
  if (!Stored)
    return false;
  return Both || ((Own || !Outermost) && mayBeAnyWord(V, *Types)) ||
         (!Pointers && isPointerOrUnknown(Types->valueLayout(V)));
}

} // namespace adze
