// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OuterRecurrence.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// \p V, which does not vary in the inner loop, becomes smaller with each
/// iteration of \p Outer, or may.
static bool mayDescend(Value *V, const Loop &Outer, ScalarEvolution &SE) {
  if (!SE.isSCEVable(V->getType()))
    return false;
  auto *Place = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(V));
  return Place && Place->getLoop() == &Outer &&
         !SE.isKnownNonNegative(Place->getStepRecurrence(SE));
}

static bool hide(Loop &Inner, ScalarEvolution &SE) {
  const Loop *Outer = Inner.getParentLoop();
  BasicBlock *Before = Inner.getLoopPreheader();
  if (!Outer || !Before)
    return false;
  MapVector<Value *, SmallVector<Use *, 4>> Descending;
  for (BasicBlock *B : Inner.blocks())
    for (Instruction &I : *B)
      for (Use &U : I.operands()) {
        auto *V = dyn_cast<Instruction>(U.get());
        auto *Phi = dyn_cast<PHINode>(&I);
        if (V && !Inner.contains(V) && Outer->contains(V) &&
            (!Phi || Phi->getIncomingBlock(U) == Before) &&
            mayDescend(V, *Outer, SE))
          Descending[V].push_back(&U);
      }
  for (auto &[V, Uses] : Descending) {
    auto *Hidden = new FreezeInst(V, V->getName() + ".row",
                                  Before->getTerminator()->getIterator());
    for (Use *U : Uses)
      U->set(Hidden);
  }
  if (!Descending.empty())
    SE.forgetLoop(&Inner);
  return !Descending.empty();
}

PreservedAnalyses FreezeOuterRecurrencePass::run(Function &F,
                                                 FunctionAnalysisManager &FAM) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Changed = false;
  for (Loop *L : Loops.getLoopsInPreorder())
    if (L->isInnermost())
      Changed |= hide(*L, SE);
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace adze
