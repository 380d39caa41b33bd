// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands between two loops that become one is done in front of all
// iterations of the first but those that go ahead, or behind (FuseLoops.cpp).
#include "Fusion.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

static constexpr unsigned MaxBetween = 400;

bool Fusion::comesFromFirst(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return I && (Pair.First->contains(I) || Pair.Between.Late.contains(I));
}

bool Fusion::areTestedApart(Instruction &I, const MovingAccess &X) {
  std::optional<LoopAccess> A = K.Places.ended(I);
  return A && Tests.size() < MaxTests && Tests.add(*A, X);
}

/// \p I, a load or store between the loops, may be done before iterations of
/// the first one from its shift on, and before what comes late.
bool Fusion::mayGoAhead(Instruction &I) {
  return all_of(OfFirst,
                [&](const MovingAccess &X) {
                  return (!X.isStore() && isa<LoadInst>(I)) ||
                         K.Places.areApartFrom(I, X, Pair.Shift) ||
                         areTestedApart(I, X);
                }) &&
         all_of(LateAccesses, [&](Instruction *Late) {
           return (isa<LoadInst>(Late) && isa<LoadInst>(I)) ||
                  K.Places.areApart(I, *Late, *Pair.First);
         });
}

/// It may be done behind iterations of the second one but for its rest.
bool Fusion::mayWait(Instruction &I) {
  return all_of(OfSecond, [&](const MovingAccess &Y) {
    return (!Y.isStore() && isa<LoadInst>(I)) ||
           K.Places.areApartUntil(I, Y, Pair.RestOfSecond) ||
           areTestedApart(I, Y);
  });
}

/// A call between the loops that frees memory goes behind, one that makes
/// memory, or writes none that the first loop knows, in front.
bool Fusion::placeCall(CallBase &Call) {
  if (Value *Freed = getFreedOperand(&Call, &K.TLI)) {
    Pair.Between.Late.insert(&Call);
    return !comesFromFirst(Freed);
  }
  if (Call.getIntrinsicID() == Intrinsic::experimental_noalias_scope_decl)
    return true;
  if (any_of(Call.args(), [&](const Use &U) { return comesFromFirst(U); }))
    return false;
  const bool Makes = isAllocLikeFn(&Call, &K.TLI);
  if (Call.isConvergent() || !Call.doesNotThrow() ||
      (!Makes &&
       (!LateAccesses.empty() || !Call.hasFnAttr(Attribute::WillReturn))))
    return false;
  return all_of(OfFirst, [&](const MovingAccess &X) {
    const MemoryLocation Anywhere = MemoryLocation::getBeforeOrAfter(
        getLoadStorePointerOperand(X.I), X.I->getAAMetadata());
    const ModRefInfo Does = K.AA.getModRefInfo(&Call, Anywhere);
    return !isModSet(Does) && (!X.isStore() || !isRefSet(Does));
  });
}

/// \p I, of between the loops, goes in front or behind; behind if it
/// \p IsLate, since it needs what comes from there.
bool Fusion::place(Instruction &I, bool IsLate) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (Call && I.mayReadOrWriteMemory())
    return placeCall(*Call);
  if (I.mayReadOrWriteMemory() && IsNear)
    return false;
  if (!I.mayReadOrWriteMemory()) {
    if (IsLate)
      Pair.Between.Late.insert(&I);
    return isGuaranteedToTransferExecutionToSuccessor(&I);
  }
  auto *Load = dyn_cast<LoadInst>(&I);
  auto *Store = dyn_cast<StoreInst>(&I);
  if (Load ? !Load->isSimple() : !Store || !Store->isSimple())
    return false;
  if (!IsLate && mayGoAhead(I))
    return true;
  Pair.Between.Late.insert(&I);
  LateAccesses.push_back(&I);
  return mayWait(I);
}

bool Fusion::placeBetween() {
  unsigned Count = 0;
  Pair.Between.Late.clear();
  LateAccesses.clear();
  const BasicBlock *From = Pair.First->getHeader();
  for (BasicBlock *B : Pair.Between.Blocks) {
    for (Instruction &I : *B) {
      if (isa<DbgInfoIntrinsic>(I) || I.isTerminator())
        continue;
      const bool IsLate = any_of(I.operands(), [&](const Use &U) {
        auto *Phi = dyn_cast<PHINode>(&I);
        return (!Phi || Phi->getIncomingBlock(U) == From) && comesFromFirst(U);
      });
      if (++Count > MaxBetween || !place(I, IsLate))
        return false;
    }
    From = B;
  }
  // The second loop does not wait for what comes late.
  return none_of(*Pair.Second->getHeader(), [&](Instruction &I) {
    return any_of(I.operands(),
                  [&](const Use &U) { return comesFromFirst(U); });
  });
}

} // namespace adze
