// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes that change one innermost loop after the other have in common.
#ifndef ADZE_LIB_CLEANUP_INNERMOSTLOOPS_H
#define ADZE_LIB_CLEANUP_INNERMOSTLOOPS_H

#include "Loops/AccessRanges.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"

namespace adze {

/// Makes a Change(L, SE, Ranges, Alias) for each innermost loop of \p F, and
/// has it applied where it finds that it can be done and is worth it.
template <class Change>
llvm::PreservedAnalyses changeInnermost(llvm::Function &F,
                                        llvm::FunctionAnalysisManager &FAM) {
  if (F.hasOptSize() || F.hasOptNone())
    return llvm::PreservedAnalyses::all();
  auto &Loops = FAM.getResult<llvm::LoopAnalysis>(F);
  auto &DT = FAM.getResult<llvm::DominatorTreeAnalysis>(F);
  auto &SE = FAM.getResult<llvm::ScalarEvolutionAnalysis>(F);
  auto &AA = FAM.getResult<llvm::AAManager>(F);
  llvm::SmallVector<llvm::Loop *, 8> Innermost;
  for (llvm::Loop *L : Loops.getLoopsInPreorder())
    if (L->isInnermost())
      Innermost.push_back(L);
  AccessRanges Ranges(SE, Loops, DT);
  bool Changed = false;
  for (llvm::Loop *L : Innermost) {
    llvm::BatchAAResults Alias(AA);
    Alias.enableCrossIterationMode();
    Change C(*L, SE, Ranges, Alias);
    if (!C.find())
      continue;
    C.apply(Loops, DT);
    Ranges.forget();
    Changed = true;
  }
  return Changed ? llvm::PreservedAnalyses::none()
                 : llvm::PreservedAnalyses::all();
}

} // namespace adze
#endif
