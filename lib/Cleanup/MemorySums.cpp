// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MemorySums.h"
#include "Loops/LoopAccess.h"
#include "adze/GuardedProduct.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

static const SCEV *placeOf(const Instruction &Access, ScalarEvolution &SE) {
  return SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&Access)));
}

std::optional<MemorySum> sumOf(StoreInst &Store, ScalarEvolution &SE) {
  if (!Store.isSimple())
    return std::nullopt;
  const SCEV *Place = placeOf(Store, SE);
  SmallVector<Value *, 8> Work(1, Store.getValueOperand());
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || I->getParent() != Store.getParent() || !I->hasOneUse())
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      if (Load->isSimple() && placeOf(*Load, SE) == Place)
        return MemorySum{Load, &Store};
      continue;
    }
    bool Adds = I->getOpcode() == Instruction::FAdd;
    if ((!Adds && I->getOpcode() != Instruction::FSub) || !I->hasAllowReassoc())
      continue;
    Work.push_back(I->getOperand(0));
    if (Adds)
      Work.push_back(I->getOperand(1));
  }
  return std::nullopt;
}

bool isUndisturbed(const MemorySum &S, ScalarEvolution &SE,
                   BatchAAResults &Alias) {
  const DataLayout &DL = S.New->getModule()->getDataLayout();
  uint64_t Size = DL.getTypeStoreSize(S.Old->getType()).getFixedValue();
  for (const Instruction *I = S.Old->getNextNode(); I != S.New;
       I = I->getNextNode()) {
    auto *Store = dyn_cast<StoreInst>(I);
    if (!Store)
      continue;
    std::optional<int64_t> Apart =
        distance(placeOf(*S.New, SE), placeOf(*Store, SE), SE);
    bool Elsewhere = Apart && uint64_t(std::abs(*Apart)) >= Size;
    if (!Elsewhere &&
        Alias.alias(MemoryLocation::get(Store), MemoryLocation::get(S.New)) !=
            AliasResult::NoAlias)
      return false;
  }
  return true;
}

bool isAligned(const MemorySum &S) {
  const DataLayout &DL = S.New->getModule()->getDataLayout();
  TypeSize Size = DL.getTypeStoreSize(S.Old->getType());
  return !Size.isScalable() &&
         std::min(S.Old->getAlign(), S.New->getAlign()).value() >= Size;
}

bool isCheapToRepeat(const Instruction &I) {
  if (I.getOpcode() == Instruction::FDiv || I.getOpcode() == Instruction::FRem)
    return false;
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isGuardedProduct(I))
    return true;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::fmuladd:
  case Intrinsic::fma:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
    return true;
  default:
    return false;
  }
}

} // namespace adze
