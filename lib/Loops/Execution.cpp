// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Execution.h"
#include "adze/Teams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// Blocks that are looked at for one answer.
static constexpr unsigned MaxBlocks = 200;
/// Conditions on which one block is executed with another.
static constexpr unsigned MaxGuards = 4;

/// Once it is executed, so is what stands behind it.
static bool isPassed(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return isGuaranteedToTransferExecutionToSuccessor(&I) ||
         (Call && teams::comesBack(*Call));
}

/// If the beginning of \p B is reached, so is its end.
static bool isPassed(const BasicBlock &B) {
  return all_of(B, [](const Instruction &I) { return isPassed(I); });
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
    if (!From) { // paths that meet
      const DomTreeNode *Above = P.DT->getNode(B)->getIDom();
      if (!Above || P.LI->getLoopFor(Above->getBlock()) != C ||
          !isAlwaysReached(Above->getBlock(), B, C))
        return false;
      B = Above->getBlock();
      continue;
    }
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
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

bool Execution::isExecutedWhenCalled(const Instruction &At, Guards &If) const {
  const BasicBlock *Entry = &P.F->getEntryBlock(), *B = At.getParent();
  if (any_of(make_range(B->begin(), At.getIterator()),
             [](const Instruction &I) { return !isPassed(I); }))
    return false;
  if (B == Entry)
    return true;
  const BasicBlock *From = B->getSinglePredecessor();
  auto *Branch = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
  if (!Branch)
    return false;
  if (Branch->isConditional())
    If.push_back({Branch->getCondition(), Branch->getSuccessor(0) == B});
  return isPassed(*Entry) && isExecutedWith(Entry, From, /*C=*/nullptr, If);
}

/// Vectorizers make these of what a condition guards, as they make selects.
static bool isMasked(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return false;
  switch (Call->getIntrinsicID()) {
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore:
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_expandload:
    return true;
  default:
    return false;
  }
}

/// No optimizer moves \p I past a condition.
static bool staysInPlace(const Instruction &I) {
  return !isa<PHINode>(I) && !isMasked(I) && !I.isDebugOrPseudoInst() &&
         !isSafeToSpeculativelyExecute(&I);
}

/// Of a select, the condition alone is read in every case.
static bool readsAlways(const Use &U) {
  return !isa<SelectInst>(U.getUser()) || U.getOperandNo() == 0;
}

/// Each way that leaves \p From merges \p V.
static bool mergedOnAllWays(const Value &V, const BasicBlock &From) {
  return all_of(successors(&From), [&](const BasicBlock *To) {
    return any_of(To->phis(), [&](const PHINode &Phi) {
      return Phi.getIncomingValueForBlock(&From) == &V;
    });
  });
}

void Execution::findExecuted() const {
  PostDominatorTree Always(*P.F);
  SmallVector<const Instruction *, 64> Work;
  auto Execute = [&](const Value *V, const BasicBlock *Reader) {
    auto *I = dyn_cast<Instruction>(V);
    if (I && !Executed.count(I) && Always.dominates(Reader, I->getParent())) {
      Executed.insert(I);
      Work.push_back(I);
    }
  };
  for (const Instruction &I : instructions(*P.F)) {
    if (staysInPlace(I)) {
      Executed.insert(&I);
      Work.push_back(&I);
    }
    // A merge is no choice of an optimizer: those are selects.
    if (auto *Phi = dyn_cast<PHINode>(&I))
      for (const BasicBlock *From : Phi->blocks())
        if (const Value *V = Phi->getIncomingValueForBlock(From);
            isa<Instruction>(V) && mergedOnAllWays(*V, *From))
          Execute(V, From);
  }
  while (!Work.empty()) {
    const Instruction *Reader = Work.pop_back_val();
    if (isa<PHINode>(Reader))
      continue;
    for (const Use &U : Reader->operands())
      if (readsAlways(U))
        Execute(U, Reader->getParent());
  }
}

bool Execution::mayBeSpeculated(const Instruction &I) const {
  if (Executed.empty())
    findExecuted();
  return !Executed.count(&I);
}

} // namespace adze
