// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reverse pass goes back by the way that the primal has come, of which a
// number tells:
//
//   if (n > 0) { ...; way = 0; } else way = 1;
//   meet:  way = phi [0], [1];  ...
//   switch (way) { case 0: for (i = n - 1; ; --i) ...
//
// Behind the switch n > 0 holds, but no analysis of loops looks through phis.
// So it is told.
#ifndef ADZE_LIB_CLEANUP_WAYFACTS_H
#define ADZE_LIB_CLEANUP_WAYFACTS_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Has a derivative assume what its ways say of sizes.
struct WayFactsPass : llvm::PassInfoMixin<WayFactsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
