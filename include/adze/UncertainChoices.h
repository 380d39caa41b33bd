// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Choices of derivatives that nobody can foresee. Of
//
//   for (c) if (distance(x, c) < least) { least = distance(x, c); best = c; }
//
// the optimizer makes selects, and code generation makes jumps of these again
// where that shortens the longest chain of dependences. It does so where the
// loop is unrolled, more often in a derivative than in its primal, of which
// more varies in the loop. Which of two computed numbers is less depends on the
// data, so a processor guesses wrong often, and a wrong guess costs more than
// the chain.
#ifndef ADZE_UNCERTAINCHOICES_H
#define ADZE_UNCERTAINCHOICES_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Marks the selects of functions that Adze made that depend on a comparison of
/// two computed floats as unpredictable. No choice changes its meaning. To be
/// run when all optimization is done, for not every pass keeps the mark.
struct UncertainChoicesPass : llvm::PassInfoMixin<UncertainChoicesPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
};

} // namespace adze
#endif
