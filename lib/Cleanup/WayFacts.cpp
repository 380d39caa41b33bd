// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition is a comparison of numbers that are computed once in a run of the
// function, so it is the same behind the switch as on the way to the phi.
#include "WayFacts.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

/// Of one way; conditions further up are not looked at.
constexpr unsigned MaxFacts = 4;

/// A branch by a phi of numbers.
struct Parting {
  PHINode *Phi;
  Instruction *Branch;

  /// Where \p Number leads.
  BasicBlock *target(ConstantInt &Number) const {
    if (auto *Switch = dyn_cast<SwitchInst>(Branch))
      return Switch->findCaseValue(&Number)->getCaseSuccessor();
    auto *Two = cast<BranchInst>(Branch);
    bool IsTrue = Number.isOne();
    if (auto *Compare = dyn_cast<ICmpInst>(Two->getCondition()))
      IsTrue = ICmpInst::compare(
          Number.getValue(),
          cast<ConstantInt>(Compare->getOperand(1))->getValue(),
          Compare->getPredicate());
    return Two->getSuccessor(IsTrue ? 0 : 1);
  }
};

std::optional<Parting> partingAt(BasicBlock &B) {
  Instruction *End = B.getTerminator();
  Value *By = nullptr;
  if (auto *Switch = dyn_cast<SwitchInst>(End)) {
    By = Switch->getCondition();
  } else if (auto *Branch = dyn_cast<BranchInst>(End)) {
    if (!Branch->isConditional())
      return std::nullopt;
    By = Branch->getCondition();
    ICmpInst::Predicate P;
    Value *Compared;
    if (match(By, m_ICmp(P, m_Value(Compared), m_ConstantInt())))
      By = Compared;
  }
  auto *Phi = dyn_cast_or_null<PHINode>(By);
  if (!Phi || !all_of(Phi->incoming_values(), IsaPred<ConstantInt>))
    return std::nullopt;
  return Parting{Phi, End};
}

/// The only block from which \p P leads to \p Way.
BasicBlock *onlyOrigin(const Parting &P, const BasicBlock &Way) {
  BasicBlock *Only = nullptr;
  for (unsigned I = 0, N = P.Phi->getNumIncomingValues(); I != N; ++I) {
    if (P.target(*cast<ConstantInt>(P.Phi->getIncomingValue(I))) != &Way)
      continue;
    if (Only)
      return nullptr;
    Only = P.Phi->getIncomingBlock(I);
  }
  return Only;
}

/// \p V is computed once in a run of the function, in front of \p B.
bool isSteady(const Value &V, const BasicBlock &B, const DominatorTree &DT,
              const LoopInfo &LI) {
  auto *I = dyn_cast<Instruction>(&V);
  return !I || (!LI.getLoopFor(I->getParent()) && DT.dominates(I, &B));
}

/// Behind \p Way all holds that does on the way to \p Origin.
bool assume(BasicBlock &Way, BasicBlock &Origin, const PHINode &Phi,
            FunctionAnalysisManager &FAM) {
  Function &F = *Way.getParent();
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  const DomTreeNode *Meet = DT.getNode(Phi.getParent());
  if (!Meet || !DT.getNode(&Origin))
    return false;
  unsigned Facts = 0;
  for (const DomTreeNode *Node = DT.getNode(&Origin);
       Node && Node != Meet->getIDom() && Facts != MaxFacts;
       Node = Node->getIDom()) {
    BasicBlock *Asks = Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
    auto *Branch = Asks ? dyn_cast<BranchInst>(Asks->getTerminator()) : nullptr;
    auto *Compare = Branch && Branch->isConditional()
                        ? dyn_cast<ICmpInst>(Branch->getCondition())
                        : nullptr;
    if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy() ||
        !all_of(Compare->operands(),
                [&](Value *V) { return isSteady(*V, Way, DT, LI); }))
      continue;
    for (unsigned Side : {0u, 1u}) {
      if (!DT.dominates(BasicBlockEdge(Asks, Branch->getSuccessor(Side)),
                        &Origin))
        continue;
      IRBuilder<> B(&Way, Way.getFirstInsertionPt());
      Value *Fact = B.CreateICmp(
          Side == 0 ? Compare->getPredicate() : Compare->getInversePredicate(),
          Compare->getOperand(0), Compare->getOperand(1));
      if (isa<Constant>(Fact))
        continue;
      AC.registerAssumption(cast<AssumeInst>(B.CreateAssumption(Fact)));
      ++Facts;
    }
  }
  return Facts != 0;
}

} // namespace

PreservedAnalyses WayFactsPass::run(Function &F, FunctionAnalysisManager &FAM) {
  bool Changed = false;
  for (BasicBlock &B : F) {
    std::optional<Parting> P = partingAt(B);
    if (!P)
      continue;
    SmallSetVector<BasicBlock *, 4> Ways(succ_begin(&B), succ_end(&B));
    for (BasicBlock *Way : Ways)
      if (Way->getUniquePredecessor() == &B)
        if (BasicBlock *Origin = onlyOrigin(*P, *Way))
          Changed |= assume(*Way, *Origin, *P->Phi, FAM);
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace adze
