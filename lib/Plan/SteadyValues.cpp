// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SteadyValues.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

static constexpr unsigned MaxDepth = 16, MaxDecisions = 64;

/// The number of a thread, for one: nothing that threads exchange.
static bool isCalculation(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return isa<IntrinsicInst>(Call) && Call->doesNotAccessMemory() &&
           !Call->isConvergent();
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             FreezeInst, GetElementPtrInst>(I);
}

bool SteadyValues::isSteady(const Value &V, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return true;
  const Loop *Around = P.LI->getLoopFor(I->getParent());
  if (!Around)
    return true;
  if (Depth == MaxDepth)
    return false;
  if (isCalculation(*I))
    return all_of(I->operands(),
                  [&](const Use &Op) { return isSteady(*Op, Depth + 1); });
  // The counter of a loop within, which takes the same values each time.
  if (!isa<PHINode>(I) || !L.contains(Around) || Around == &L ||
      !M.SE.isSCEVable(I->getType()))
    return false;
  const SCEV *S = M.SE.getSCEV(const_cast<Instruction *>(I));
  return !isa<SCEVUnknown>(S) && isSteady(S, Depth + 1);
}

bool SteadyValues::isSteady(const SCEV *S, unsigned Depth) {
  return !SCEVExprContains(S, [&](const SCEV *Part) {
    if (isa<SCEVCouldNotCompute>(Part))
      return true;
    if (auto *Leaf = dyn_cast<SCEVUnknown>(Part))
      return !isSteady(*Leaf->getValue(), Depth + 1);
    auto *Advance = dyn_cast<SCEVAddRecExpr>(Part);
    if (!Advance)
      return false;
    const Loop *Within = Advance->getLoop();
    return Within == &L || !L.contains(Within) || Depth == MaxDepth ||
           !isSteady(M.SE.getBackedgeTakenCount(Within), Depth + 1);
  });
}

/// Whether \p B is executed depends on which way \p Branch goes.
bool SteadyValues::decidesOn(const BasicBlock &Branch, const BasicBlock &B) {
  return Branch.getTerminator()->getNumSuccessors() > 1 &&
         !PDT.properlyDominates(&B, &Branch) &&
         any_of(successors(&Branch), [&](const BasicBlock *Next) {
           return PDT.dominates(&B, Next);
         });
}

/// All that decides on it goes the same way in each iteration.
bool SteadyValues::isReachedAlike(const BasicBlock &B) {
  SmallSetVector<const BasicBlock *, 8> Decided;
  Decided.insert(&B);
  for (size_t K = 0; K < Decided.size(); ++K)
    for (const BasicBlock *Branch : L.blocks()) {
      // Whether there is another iteration: that one is like the others.
      if (Branch == L.getLoopLatch() || !decidesOn(*Branch, *Decided[K]))
        continue;
      if (Decided.size() == MaxDecisions)
        return false;
      Decided.insert(Branch);
      const LoopRecord *Within = P.loopOf(Branch);
      if (Within->L != &L && Within->ExitingBlock == Branch &&
          isSteady(M.SE.getBackedgeTakenCount(Within->L), 0))
        continue;
      auto *Br = dyn_cast<BranchInst>(Branch->getTerminator());
      if (!Br || !isSteady(*Br->getCondition()))
        return false;
    }
  return true;
}

bool SteadyValues::writesAlike(const StoreInst &Store) {
  const SCEV *Address =
      M.SE.getSCEV(const_cast<Value *>(Store.getPointerOperand()));
  return isSteady(Address, 0) && isReachedAlike(*Store.getParent());
}

} // namespace adze
