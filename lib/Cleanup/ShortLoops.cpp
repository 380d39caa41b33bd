// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ShortLoops.h"

#include "adze/GuardedProduct.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace adze {

static bool hasGuardedProduct(const Loop &L) {
  return any_of(L.blocks(),
                [](BasicBlock *B) { return any_of(*B, isGuardedProduct); });
}

/// The user, or an earlier pass, has said how the loop is to be vectorized.
static bool isDecided(const Loop &L) {
  for (StringRef Option :
       {"llvm.loop.interleave.count", "llvm.loop.vectorize.width",
        "llvm.loop.vectorize.enable", "llvm.loop.isvectorized"})
    if (findOptionMDForLoop(&L, Option))
      return true;
  return false;
}

PreservedAnalyses ShortLoopsPass::run(Function &F,
                                      FunctionAnalysisManager &FAM) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  for (Loop *L : Loops.getLoopsInPreorder())
    if (L->isInnermost() && L->getParentLoop() &&
        SE.getSmallConstantTripCount(L) == 0 && hasGuardedProduct(*L) &&
        !isDecided(*L))
      addStringMetadataToLoop(L, "llvm.loop.interleave.count", 1);
  return PreservedAnalyses::all();
}

} // namespace adze
