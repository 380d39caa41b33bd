// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "VectorLoops.h"
#include "adze/GuardedProduct.h"

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// An inner loop with more comparisons of arrays that may overlap is rarely run
/// as vectors: they are done each time that it is entered.
constexpr unsigned MaxComparisons = 3;

bool mayVectorize(Loop &L, LoopAccessInfoManager &Accesses,
                  ScalarEvolution &SE) {
  if (!L.isInnermost() || !L.getLoopPreheader() || !L.getExitingBlock() ||
      L.getExitingBlock() != L.getLoopLatch())
    return false;
  for (PHINode &Phi : L.getHeader()->phis()) {
    RecurrenceDescriptor Recurrence;
    InductionDescriptor Induction;
    if (!RecurrenceDescriptor::isReductionPHI(&Phi, &L, Recurrence, nullptr,
                                              nullptr, nullptr, &SE) &&
        !InductionDescriptor::isInductionPHI(&Phi, &L, &SE, Induction))
      return false;
  }
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (!isTriviallyVectorizable(Call->getIntrinsicID()) &&
            !isGuardedProduct(I) && !Call->isDebugOrPseudoInst() &&
            !Call->isLifetimeStartOrEnd() &&
            Call->getIntrinsicID() != Intrinsic::assume &&
            VFDatabase::getMappings(*Call).empty())
          return false;
  const LoopAccessInfo &Info = Accesses.getInfo(L);
  return Info.canVectorizeMemory() &&
         (!L.getParentLoop() ||
          Info.getNumRuntimePointerChecks() <= MaxComparisons);
}

} // namespace adze
