// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the primal has computed of sizes, the reverse pass reads behind a join
// of ways of which only one has it:
//
//   if (steps > 0) { last = n > 1 ? n - 2 : 0;  ... }
//   behind:  count = phi [last], [undef];  ...  for (i = count; ; --i) ...
//
// So nothing is known of the count. But what can be computed of sizes alone can
// be computed in front of both ways, and then the phi is that number.
#ifndef ADZE_LIB_CLEANUP_EARLYVALUES_H
#define ADZE_LIB_CLEANUP_EARLYVALUES_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Computes early what phis of a derivative have on all ways that have
/// anything.
struct EarlyValuesPass : llvm::PassInfoMixin<EarlyValuesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
