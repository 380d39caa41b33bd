// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reverse pass runs the loops of the primal backwards. Where the order of
// the iterations means nothing, counting up is better: a vector loop that goes
// down turns every vector around after loading it and before storing it.
//
//   for (i = n; ; --i) {              for (i = 0; ; ++i) {
//     dx[i] += a * dy[i];      ->       dx[i] += a * dy[i];
//     da += x[i] * dy[i];               da += x[i] * dy[i];
//     if (i == 0) break;                if (i == n) break;
//   }                                 }
//
// The order means nothing if no memory that one iteration writes is accessed
// by another, and all that is carried from one to the next, or out of the last,
// are sums that may be reordered.
#ifndef ADZE_CLEANUP_LOOPORDER_H
#define ADZE_CLEANUP_LOOPORDER_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Makes the innermost loops of a derivative count up where they may.
struct CountUpPass : llvm::PassInfoMixin<CountUpPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
