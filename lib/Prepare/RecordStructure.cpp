// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record of a primal whose control flow has its final shape: dominators,
// loops, which blocks can return, and by which edge each block was entered.
#include "Prepare/Stages.h"
#include "adze/Primal.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// \p I accesses memory by a pointer that may lead into \p A.
static bool mayAccess(const Instruction &I, const AllocaInst &A) {
  return any_of(I.operands(), [&](const Use &U) {
    return U->getType()->isPointerTy() &&
           getUnderlyingObject(U, /*MaxLookup=*/0) == &A;
  });
}

static void recordReturning(Primal &P) {
  for (BasicBlock &B : *P.F)
    if (isa<ReturnInst>(B.getTerminator()))
      P.ReturnBlock = &B;
  if (!P.ReturnBlock)
    return;
  SmallVector<const BasicBlock *, 16> Work{P.ReturnBlock};
  while (!Work.empty()) {
    const BasicBlock *B = Work.pop_back_val();
    if (P.Returning.insert(B))
      append_range(Work, predecessors(B));
  }
}

/// The edge by which a loop is left when the function returns in the end, if
/// there is only one. Exits to where the program ends do not count.
static void recordExit(const Primal &P, LoopRecord &R) {
  SmallVector<Loop::Edge, 4> Exits;
  R.L->getExitEdges(Exits);
  erase_if(Exits, [&](const Loop::Edge &E) { return !P.canReturn(E.second); });
  if (Exits.size() != 1)
    return;
  R.ExitingBlock = const_cast<BasicBlock *>(Exits.front().first);
  R.ExitBlock = const_cast<BasicBlock *>(Exits.front().second);
}

/// Markers of scopes go: a reverse pass does not keep the order of events of
/// which they speak.
static void recordScopes(Primal &P) {
  for (BasicBlock &B : *P.F)
    for (Instruction &I : make_early_inc_range(B)) {
      auto *Marker = dyn_cast<LifetimeIntrinsic>(&I);
      if (!Marker)
        continue;
      auto *A = dyn_cast<AllocaInst>(Marker->getArgOperand(1));
      bool IsFirst = A && none_of(make_range(B.begin(), I.getIterator()),
                                  [A](const Instruction &Before) {
                                    return Before.mayReadOrWriteMemory() &&
                                           !isa<LifetimeIntrinsic>(Before) &&
                                           mayAccess(Before, *A);
                                  });
      if (IsFirst)
        P.ScopeBegins[A].push_back(&B);
      Marker->eraseFromParent();
    }
}

void recordStructure(Primal &P) {
  recordScopes(P);
  P.DT = std::make_unique<DominatorTree>(*P.F);
  P.LI = std::make_unique<LoopInfo>(*P.DT);
  recordReturning(P);
  for (const BasicBlock &B : *P.F)
    if (B.getTerminator()->hasMetadata(VersionsName))
      P.General = B.getTerminator()->getSuccessor(1);
  for (Loop *L : P.LI->getLoopsInPreorder()) {
    auto Record = std::make_unique<LoopRecord>();
    Record->L = L;
    Record->Parent = P.LoopOf.lookup(L->getParentLoop());
    recordExit(P, *Record);
    P.LoopOf[L] = Record.get();
    P.Loops.push_back(std::move(Record));
  }
}

namespace {
/// A join of the two ways of one branch, in the order (false, true).
struct TwoWayJoin {
  Value *Condition = nullptr;
  BasicBlock *Preds[2] = {nullptr, nullptr};
};
} // namespace

/// If the branch at the end of \p B's immediate dominator alone decides by
/// which of two edges \p B is entered: that decision. Both blocks must belong
/// to one loop, so that the condition still has the value it decided by.
static TwoWayJoin findTwoWayJoin(const Primal &P, BasicBlock *B) {
  BasicBlock *Fork = P.DT->getNode(B)->getIDom()->getBlock();
  auto *Br = dyn_cast<BranchInst>(Fork->getTerminator());
  if (!Br || !Br->isConditional() || isa<Constant>(Br->getCondition()) ||
      P.LI->getLoopFor(Fork) != P.LI->getLoopFor(B))
    return {};
  TwoWayJoin Join;
  for (BasicBlock *Pred : predecessors(B)) {
    for (unsigned Side : {0u, 1u}) {
      BasicBlock *Next = Br->getSuccessor(1 - Side);
      bool Decides = Pred == Fork
                         ? Next == B
                         : P.DT->dominates(BasicBlockEdge(Fork, Next), Pred);
      if (!Decides)
        continue;
      if (Join.Preds[Side])
        return {};
      Join.Preds[Side] = Pred;
    }
  }
  if (Join.Preds[0] && Join.Preds[1] && pred_size(B) == 2)
    Join.Condition = Br->getCondition();
  return Join;
}

static Primal::Entry makeEntry(const Primal &P, BasicBlock *B) {
  Primal::Entry Entry;
  TwoWayJoin Join = findTwoWayJoin(P, B);
  if (Join.Condition) {
    Entry.Index = Join.Condition;
    Entry.Preds = {Join.Preds[0], Join.Preds[1]};
    return Entry;
  }
  append_range(Entry.Preds, predecessors(B));
  unsigned Count = Entry.Preds.size();
  unsigned Bits = Count <= 2 ? 1 : Count <= 256 ? 8 : 32;
  Type *Ty = IntegerType::get(B->getContext(), Bits);
  PHINode *Index = PHINode::Create(Ty, Count, "adze.from", B->begin());
  for (auto [I, Pred] : enumerate(Entry.Preds))
    Index->addIncoming(ConstantInt::get(Ty, I), Pred);
  Entry.Index = Index;
  return Entry;
}

/// All loops that end on entry of \p B, innermost first.
static SmallVector<LoopExit, 2> makeExits(const Primal &P, BasicBlock *B) {
  SmallVector<LoopExit, 2> Exits;
  BasicBlock *Pred = *pred_begin(B);
  for (Loop *L = P.LI->getLoopFor(Pred); L && !L->contains(B);
       L = L->getParentLoop()) {
    LoopRecord *R = P.LoopOf.lookup(L);
    if (R->LastIteration && R->ExitBlock == B && R->ExitingBlock == Pred) {
      Exits.push_back({R, R->LastIteration});
      continue;
    }
    PHINode *Left = PHINode::Create(R->Counter->getType(), pred_size(B),
                                    "adze.left", B->begin());
    for (BasicBlock *From : predecessors(B))
      Left->addIncoming(R->Counter, From);
    Exits.push_back({R, Left});
  }
  return Exits;
}

void recordEntries(Primal &P) {
  for (BasicBlock &B : *P.F) {
    if (!P.canReturn(&B) || pred_empty(&B))
      continue;
    if (!P.LI->isLoopHeader(&B) && !B.getSinglePredecessor())
      P.EnteredFrom[&B] = makeEntry(P, &B);
    SmallVector<LoopExit, 2> Exits = makeExits(P, &B);
    if (!Exits.empty())
      P.ExitCounters[&B] = std::move(Exits);
  }
}

} // namespace adze
