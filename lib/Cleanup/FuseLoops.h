// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reverse pass of a program over arrays has loops side by side, each of
// which reads adjoints that the one in front has just stored:
//
//   for (i = 0; i < n; i++) {              s[0] += c * db[0];  db[0] = 0;
//     ds[i] += c * db[i];  db[i] = 0;      for (i = 1; i < n; i++) {
//   }                                        s = ds[i] + c * db[i];
//   if (n > 1)                       =>      dx[i] += s * y[i - 1];
//     for (i = 1; i < n; i++) {              db[i - 1] = s * x[i];
//       dx[i] += ds[i] * y[i - 1];           ds[i] = 0;
//       db[i - 1] += ds[i] * x[i];         }
//       ds[i] = 0;                         db[n - 1] = 0;
//     }
//
// They become one loop, where the second one is as many iterations behind the
// first as its dependences ask for (loop alignment, as in Allen and Kennedy,
// Optimizing Compilers for Modern Architectures, 8.6). What one of the two
// stores and the other one reads then stays in a register (CarryStores.h).
//
// LLVM's own LoopFuse takes loops only that have the same count, the same
// guard and nothing in between, and has no shift.
#ifndef ADZE_LIB_CLEANUP_FUSELOOPS_H
#define ADZE_LIB_CLEANUP_FUSELOOPS_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Fuses innermost loops of a derivative where that is known to be right and
/// saves reading what was stored.
struct FuseLoopsPass : llvm::PassInfoMixin<FuseLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
