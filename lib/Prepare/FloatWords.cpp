// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A word that is a double at one time and a pointer at another (a union, `void
// *` for anything) is an integer between memory and its use:
//
//   store double x, a      q = inttoptr (load i64, a)
//   q = load ptr, a        (then a can become a register)
//
// Integers may be the bits of floats to the analyses, pointers not.
#include "Prepare/Stages.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

/// What simple accesses of one place are of. Pointers that go between memory
/// and memory alone are moved as the words that they are.
struct Uses {
  bool LoadsFloats = false, StoresFloats = false;
  bool LoadsPassed = false, StoresPassed = false;
  SmallVector<Instruction *, 4> Pointers;

  void add(Instruction &I, bool Float) {
    bool Loads = isa<LoadInst>(I);
    if (Float) {
      (Loads ? LoadsFloats : StoresFloats) = true;
      return;
    }
    Pointers.push_back(&I);
    if (auto *Store = dyn_cast<StoreInst>(&I))
      StoresPassed |= !isa<LoadInst>(Store->getValueOperand());
    else
      LoadsPassed |= any_of(I.uses(), [](const Use &U) {
        return !isa<StoreInst>(U.getUser()) || U.getOperandNo() != 0;
      });
  }
  bool mix() const {
    return (StoresFloats && LoadsPassed) || (LoadsFloats && StoresPassed);
  }
};

/// \p Bits are those of a float, or may be.
bool mayBeOfFloat(const Value *Bits) {
  auto isCast = [](const Value *V) {
    auto *Cast = dyn_cast<BitCastInst>(V);
    return Cast && Cast->getSrcTy()->isFloatingPointTy();
  };
  return isCast(Bits) || (isa<PHINode, SelectInst>(Bits) &&
                          any_of(cast<Instruction>(Bits)->operands(), isCast));
}

class WordReader {
public:
  explicit WordReader(Function &F)
      : F(F), DL(F.getDataLayout()), Word(DL.getIntPtrType(F.getContext())) {}

  bool run() {
    SmallVector<Instruction *, 16> Found = ofMixedSlots();
    for (Instruction &I : instructions(F))
      if (isCastWord(I))
        Found.push_back(&I);
    SmallPtrSet<Instruction *, 16> Done;
    for (Instruction *I : Found)
      if (Done.insert(I).second)
        rewrite(I);
    return !Found.empty();
  }

private:
  /// Accesses of variables, at places where a float of that size is accessed,
  /// too.
  SmallVector<Instruction *, 16> ofMixedSlots() {
    MapVector<std::pair<AllocaInst *, int64_t>, Uses> Places;
    for (Instruction &I : instructions(F)) {
      auto *Load = dyn_cast<LoadInst>(&I);
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!(Load && Load->isSimple()) && !(Store && Store->isSimple()))
        continue;
      Type *Ty = getLoadStoreType(&I);
      bool Float = Ty->isDoubleTy();
      if (!Float && !isWordPointer(Ty))
        continue;
      APInt Offset(
          DL.getIndexTypeSizeInBits(getLoadStorePointerOperand(&I)->getType()),
          0);
      auto *Slot = dyn_cast<AllocaInst>(
          getLoadStorePointerOperand(&I)->stripAndAccumulateConstantOffsets(
              DL, Offset, /*AllowNonInbounds=*/true));
      if (!Slot)
        continue;
      Places[{Slot, Offset.getSExtValue()}].add(I, Float);
    }
    SmallVector<Instruction *, 16> Found;
    for (auto &[Place, Of] : Places)
      if (Of.mix()) {
        append_range(Found, Of.Pointers);
        // SROA would make pointers of integers that a pointer is declared for.
        if (isWordPointer(Place.first->getAllocatedType()))
          Place.first->setAllocatedType(Word);
      }
    return Found;
  }

  bool isWordPointer(Type *Ty) const {
    return Ty->isPointerTy() && !DL.isNonIntegralPointerType(Ty) &&
           DL.getPointerTypeSizeInBits(Ty) == 64;
  }

  /// A pointer is loaded whose bits are cast to a float, or one is stored whose
  /// bits are those of a float.
  bool isCastWord(const Instruction &I) const {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple() && isWordPointer(Load->getType()) &&
             any_of(Load->users(), [](const User *U) {
               return isa<PtrToIntInst>(U) &&
                      any_of(U->users(), [](const User *Of) {
                        return isa<BitCastInst>(Of) &&
                               Of->getType()->isFloatingPointTy();
                      });
             });
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store || !Store->isSimple() ||
        !isWordPointer(Store->getValueOperand()->getType()))
      return false;
    auto *Cast = dyn_cast<IntToPtrInst>(Store->getValueOperand());
    return Cast && mayBeOfFloat(Cast->getOperand(0));
  }

  void rewrite(Instruction *I) {
    IRBuilder<> B(I);
    if (auto *Store = dyn_cast<StoreInst>(I)) {
      auto *Cast = dyn_cast<IntToPtrInst>(Store->getValueOperand());
      Value *Bits = Cast && Cast->getSrcTy() == Word
                        ? Cast->getOperand(0)
                        : B.CreatePtrToInt(Store->getValueOperand(), Word);
      B.CreateAlignedStore(Bits, Store->getPointerOperand(), Store->getAlign());
      Store->eraseFromParent();
      return;
    }
    auto *Load = cast<LoadInst>(I);
    LoadInst *Bits =
        B.CreateAlignedLoad(Word, Load->getPointerOperand(), Load->getAlign());
    for (User *U : make_early_inc_range(Load->users()))
      if (isa<PtrToIntInst>(U) && U->getType() == Word) {
        U->replaceAllUsesWith(Bits);
        cast<Instruction>(U)->eraseFromParent();
      }
    if (!Load->use_empty())
      Load->replaceAllUsesWith(B.CreateIntToPtr(Bits, Load->getType()));
    Load->eraseFromParent();
  }

  Function &F;
  const DataLayout &DL;
  Type *Word;
};

} // namespace

bool readFloatWords(Function &F) { return WordReader(F).run(); }

} // namespace adze
