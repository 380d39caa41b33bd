// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that adds to one element in each of its iterations keeps it in memory
// if the compiler cannot tell that nothing else that the loop accesses is this
// element:
//
//   for (i) { dy[j] -= x[i * n + j] * dy[i];  dx[i * n + j] -= y[j] * dy[i]; }
//
// dx and dy come from the caller and may overlap for all that is known, so each
// iteration waits for what the one before has stored. But if the two overlap,
// both add, and sums do not ask for an order:
//
//   for (i) { sum -= x[i * n + j] * dy[i];  dx[i * n + j] -= y[j] * dy[i]; }
//   dy[j] += sum;
#ifndef ADZE_LIB_CLEANUP_RUNNINGSUMS_H
#define ADZE_LIB_CLEANUP_RUNNINGSUMS_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Moves sums to elements that stay the same in a loop of a derivative to
/// registers, where nothing but other sums may access them meanwhile.
struct RunningSumsPass : llvm::PassInfoMixin<RunningSumsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
