// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps what the source says of indices until the pass runs.
#ifndef ADZE_LIB_PLUGIN_WIDENINDICES_H
#define ADZE_LIB_PLUGIN_WIDENINDICES_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Runs before all optimization. a[i * n + j] in `int` does not overflow, so it
/// is the same in 64 bits; but the optimizer forgets that (it takes
/// j * n + j for j * (n + 1), and multiplies in 32 bits what it can), and then
/// nothing proves that two elements are not one. So such sums and products of
/// variables are calculated in the width of an address from the start, in the
/// functions that code with a marker leads to. A module without markers is not
/// touched. Indices that are read from arrays are left alone: wide
/// multiplications of vectors are slow.
class WidenIndicesPass : public llvm::PassInfoMixin<WidenIndicesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
};

} // namespace adze

#endif
