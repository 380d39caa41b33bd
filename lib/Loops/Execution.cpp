// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/Execution.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// Blocks that are looked at for one answer.
static constexpr unsigned MaxBlocks = 200;
/// Conditions on which one block is executed with another.
static constexpr unsigned MaxGuards = 4;

/// If the beginning of \p B is reached, so is its end.
static bool isPassed(const BasicBlock &B) {
  return all_of(B, [](const Instruction &I) {
    return isGuaranteedToTransferExecutionToSuccessor(&I);
  });
}

bool Execution::isInEachIteration(const LoopRecord &R, const BasicBlock *B,
                                  Guards &Added) const {
  if (!R.LastIteration || !R.L->getLoopPreheader() || !R.ExitingBlock ||
      R.L->getExitingBlock() != R.ExitingBlock)
    return false;
  while (!P.DT->dominates(B, R.ExitingBlock)) {
    const BasicBlock *From = B->getSinglePredecessor();
    auto *Branch = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
    if (!Branch)
      return false;
    if (Branch->isConditional())
      Added.push_back({Branch->getCondition(), Branch->getSuccessor(0) == B});
    B = From;
  }
  return true;
}

bool Execution::isAlwaysReached(const BasicBlock *From, const BasicBlock *To,
                                const Loop *C) const {
  if (From == To)
    return true;
  SmallVector<const BasicBlock *, 16> Work;
  SmallPtrSet<const BasicBlock *, 16> Seen;
  auto enter = [&](const BasicBlock *B) {
    if (B != To && Seen.insert(B).second)
      Work.push_back(B);
  };
  for (const BasicBlock *B : successors(From))
    enter(B);
  for (size_t Next = 0; Next < Work.size(); ++Next) {
    const BasicBlock *B = Work[Next];
    if (Work.size() > MaxBlocks || succ_empty(B) ||
        (C && (!C->contains(B) || B == C->getHeader())))
      return false;
    const Loop *L = P.LI->getLoopFor(B);
    if (L != C && L->getHeader() == B) {
      const LoopRecord *Record = P.LoopOf.lookup(L);
      if (!Record->LastIteration && !Record->Bound)
        return false;
    }
    if (!isPassed(*B))
      return false;
    for (const BasicBlock *After : successors(B))
      enter(After);
  }
  // To itself is reached; what stands in it is executed before its end.
  return isPassed(*To);
}

/// Once \p L has been entered, the end of \p B, behind it, is reached.
bool Execution::isAlwaysLeftTo(const Loop &L, const BasicBlock *B) const {
  return L.getLoopPreheader() && L.getUniqueExitBlock() == B &&
         isAlwaysReached(L.getLoopPreheader(), B, L.getParentLoop());
}

bool Execution::isExecutedWith(const BasicBlock *S, const BasicBlock *B,
                               const Loop *C, Guards &If) const {
  for (;;) {
    if (P.LI->getLoopFor(B) == C &&
        (P.DT->dominates(B, S) || isAlwaysReached(S, B, C)))
      return true;
    const BasicBlock *From = B->getSinglePredecessor();
    if (const Loop *L = From ? P.LI->getLoopFor(From) : nullptr;
        L && L != C && !L->contains(B)) {
      while (L->getParentLoop() && !L->getParentLoop()->contains(B))
        L = L->getParentLoop();
      if (!isAlwaysLeftTo(*L, B))
        return false;
      B = L->getLoopPreheader();
      continue;
    }
    auto *Branch = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
    if (!Branch || (C && B == C->getHeader()) || !isPassed(*B))
      return false;
    if (Branch->isConditional()) {
      if (If.size() >= MaxGuards)
        return false;
      If.push_back({Branch->getCondition(), Branch->getSuccessor(0) == B});
    }
    B = From;
  }
}

} // namespace adze
