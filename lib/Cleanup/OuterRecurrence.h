// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before a loop that it vectorizes, LLVM tests that the arrays do not overlap.
// Where an outer loop goes from row to row, it makes one test for all rows in
// front of that, which is right only if the rows come in ascending order; so
// it tests that too. In a reverse pass they never do, and the vector loop
// would never run. Where the row cannot be seen to depend on the outer counter,
// each row gets a test of its own.
#ifndef ADZE_CLEANUP_OUTERRECURRENCE_H
#define ADZE_CLEANUP_OUTERRECURRENCE_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Freezes, in front of an innermost loop, what descends with the loop around
/// it.
struct FreezeOuterRecurrencePass
    : llvm::PassInfoMixin<FreezeOuterRecurrencePass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
