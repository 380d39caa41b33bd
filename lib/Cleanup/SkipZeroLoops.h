// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A minimum over candidates has the derivative of one of them. The reverse pass
// comes by all of them, and to the others it brings the adjoint 0:
//
//   for (a) { ds = isLeast[a] ? d : 0;  for (j) dc[a][j] -= 2 * t(a, j) * ds; }
//
// The loop within, which adds products with 0 alone, need not run:
//
//   for (a) if (isLeast[a]) for (j) dc[a][j] -= 2 * t(a, j) * d;
//
// What is not taken contributes nothing, whatever slopes it has.
#ifndef ADZE_LIB_CLEANUP_SKIPZEROLOOPS_H
#define ADZE_LIB_CLEANUP_SKIPZEROLOOPS_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Puts loops of a derivative that do nothing but add, to memory, products with
/// what is 0 unless a condition holds, under this condition.
struct SkipZeroLoopsPass : llvm::PassInfoMixin<SkipZeroLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
