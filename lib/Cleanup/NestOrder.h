// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inner loops of the reverse pass count up where they may (LoopOrder.h), and
// then the loops around them should:
//
//   for (i = n; ; --i)                 rows from the last to the first,
//     for (j = 0; j <= m; ++j) ...     each from its begin to its end
//
// No processor fetches that ahead. Of an array that is not in the nearest
// caches a row takes nearly twice as long as in a nest that goes one way.
//
// Shadows are the caller's, so whether the order of rows is free is mostly
// known at run time only. The loop stays as it is; what reads its counter reads
// one that runs the other way if a test in front of the nest allows that.
#ifndef ADZE_LIB_CLEANUP_NESTORDER_H
#define ADZE_LIB_CLEANUP_NESTORDER_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Makes the outer loops of nests count up whose innermost loops will.
struct TurnNestsPass : llvm::PassInfoMixin<TurnNestsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
