// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   store trunc(x), p             becomes  store x, p
//   store trunc(x >> 8), p + 1
//   ...
//
// So the optimizer leaves a loop that moves bytes, where it has unrolled it and
// had read an address or a float from the same place before: parts of it take
// the place of what the loop reads. Stored together they are the address again.
// (LLVM 20 does so in AggressiveInstCombine.)
#include "Prepare/Stages.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {
namespace {

/// Bytes [\p Begin, \p Begin + \p Size) of \p Whole, as \p Store writes them.
struct Part {
  Value *Whole = nullptr;
  StoreInst *Store = nullptr;
  uint64_t Begin = 0, Size = 0;
};

/// Parts of one value, each stored where it belongs beside the first.
struct Parts {
  SmallVector<Part, 8> Stored;
  uint64_t Size = 0;
};

/// A value of more bytes than this is no address and no float.
constexpr uint64_t MaxWhole = 16;

bool readPart(Instruction &I, const DataLayout &DL, Part &P) {
  auto *Store = dyn_cast<StoreInst>(&I);
  Value *Narrow;
  if (!Store || !Store->isSimple() ||
      !match(Store->getValueOperand(), m_Trunc(m_Value(Narrow))) ||
      !Narrow->getType()->isIntegerTy())
    return false;
  uint64_t Bits = DL.getTypeSizeInBits(Store->getValueOperand()->getType());
  uint64_t Shift = 0, WholeBits = Narrow->getType()->getIntegerBitWidth();
  if (!match(Narrow, m_LShr(m_Value(P.Whole), m_ConstantInt(Shift))))
    P.Whole = Narrow;
  if (Bits % 8 != 0 || Shift % 8 != 0 || WholeBits % 8 != 0 ||
      WholeBits > 8 * MaxWhole || Shift + Bits > WholeBits)
    return false;
  P.Store = Store;
  P.Begin = Shift / 8;
  P.Size = Bits / 8;
  return true;
}

bool belongsTo(const Part &P, const Parts &Group, const DataLayout &DL) {
  const Part &First = Group.Stored.front();
  if (P.Whole != First.Whole)
    return false;
  auto overlaps = [&](const Part &O) {
    return P.Begin < O.Begin + O.Size && O.Begin < P.Begin + P.Size;
  };
  if (any_of(Group.Stored, overlaps))
    return false;
  std::optional<int64_t> Distance =
      P.Store->getPointerOperand()->getPointerOffsetFrom(
          First.Store->getPointerOperand(), DL);
  return Distance && *Distance == int64_t(P.Begin) - int64_t(First.Begin);
}

bool isWhole(const Parts &Group) {
  return 8 * Group.Size ==
         Group.Stored.front().Whole->getType()->getIntegerBitWidth();
}

const Part &lowest(const Parts &Group) {
  return *find_if(Group.Stored, [](const Part &P) { return P.Begin == 0; });
}

/// Between the first and the last part nothing else looks at their place.
bool mayJoin(const Parts &Group, AAResults &AA) {
  SmallPtrSet<const Instruction *, 8> Own;
  for (const Part &P : Group.Stored)
    Own.insert(P.Store);
  MemoryLocation Place(lowest(Group).Store->getPointerOperand(),
                       LocationSize::precise(Group.Size));
  const Instruction *Last = Group.Stored.back().Store;
  for (const Instruction *I = Group.Stored.front().Store; I != Last;
       I = I->getNextNode())
    if (!Own.contains(I) && (!isGuaranteedToTransferExecutionToSuccessor(I) ||
                             (I->mayReadOrWriteMemory() &&
                              isModOrRefSet(AA.getModRefInfo(I, Place)))))
      return false;
  return true;
}

void join(const Parts &Group) {
  const Part &First = lowest(Group);
  Value *Whole = First.Whole, *Inside;
  const DataLayout &DL = First.Store->getDataLayout();
  if (match(Whole, m_PtrToInt(m_Value(Inside))) &&
      DL.getTypeSizeInBits(Inside->getType()) == 8 * Group.Size)
    Whole = Inside;
  else if (match(Whole, m_BitCast(m_Value(Inside))))
    Whole = Inside;
  StoreInst *Last = Group.Stored.back().Store;
  IRBuilder<> B(Last);
  B.CreateAlignedStore(Whole, First.Store->getPointerOperand(),
                       First.Store->getAlign());
  for (const Part &P : Group.Stored)
    P.Store->eraseFromParent();
}

} // namespace

bool joinStores(Function &F, FunctionAnalysisManager &FAM) {
  const DataLayout &DL = F.getDataLayout();
  bool Changed = false;
  if (DL.isBigEndian())
    return Changed;
  for (BasicBlock &B : F) {
    SmallVector<Parts, 4> Groups;
    for (Instruction &I : make_early_inc_range(B)) {
      Part P;
      if (!readPart(I, DL, P))
        continue;
      Parts *Group =
          find_if(Groups, [&](const Parts &G) { return belongsTo(P, G, DL); });
      if (Group == Groups.end())
        Group = &Groups.emplace_back();
      Group->Stored.push_back(P);
      Group->Size += P.Size;
      if (!isWhole(*Group))
        continue;
      if (mayJoin(*Group, FAM.getResult<AAManager>(F))) {
        join(*Group);
        Changed = true;
      }
      Groups.erase(Group);
    }
  }
  return Changed;
}

} // namespace adze
