// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In forward mode in several directions a loop makes the tangents of all:
//
//   for (i) {
//     y[i] += a * x[i];
//     dy0[i] += da0 * x[i];
//     dy1[i] += da1 * x[i];  ...
//   }
//
// With many directions it has more arrays and numbers than the processor has
// registers for. Where tangents in one direction do not meet those in others,
// each direction may have its run of the loop:
//
//   for (k) if (da[k] != 0) for (i) dy[k][i] += da[k] * x[i];
//   for (i) y[i] += a * x[i];
//
// The code is then that of one direction, whatever their number is. And a run
// that only adds products with zeros is left out, as most are where a Jacobian
// is asked for by columns: what is not moved contributes nothing, whatever it
// would be multiplied with.
#ifndef ADZE_LIB_CLEANUP_DIRECTIONLOOPS_H
#define ADZE_LIB_CLEANUP_DIRECTIONLOOPS_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Gives each direction its run of innermost loops of a derivative that store
/// tangents in several, where that pays.
struct DirectionLoopsPass : llvm::PassInfoMixin<DirectionLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
