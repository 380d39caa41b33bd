// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums that are atomic in some iterations alone, with code for both cases in
// each iteration, keep their loop from becoming vector code:
//
//   for (i) if (alone) dx[i] += t; else atomic dx[i] += t;
//
// If `alone` is the same in all iterations, there are two loops instead. If it
// is true but for the first and the last iterations of the loop, this is cut in
// three first,
//
//   for (part = 0; part < 3; ++part)
//     for (i = begin(part); i < end(part); ++i) ..   // alone: part == 1
//
// (index set splitting, Griebl, Feautrier and Lengauer 2000).
#ifndef ADZE_CLEANUP_TEAMSUMS_H
#define ADZE_CLEANUP_TEAMSUMS_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Cuts innermost loops where threads do not meet in the iterations between the
/// first and the last (isBetweenBounds), and inlines that condition.
struct CutTeamLoopsPass : llvm::PassInfoMixin<CutTeamLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// Makes two of each innermost loop with such a sum whose condition does not
/// vary in it.
struct UnswitchTeamSumsPass : llvm::PassInfoMixin<UnswitchTeamSumsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
