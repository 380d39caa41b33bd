// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that hands the adjoint of a number to the next iteration computes it
// where it goes on, behind the test that ends the loop:
//
//   header:  ...; if (i == 0) goto exit;
//   latch:   d = a * dy;  i = i - 1;  goto header;
//
// Vector code is made only of loops that end with their test. The last
// iteration may compute what nobody reads, too, so the latch becomes part of
// the header.
#ifndef ADZE_LIB_CLEANUP_FOLDLATCHES_H
#define ADZE_LIB_CLEANUP_FOLDLATCHES_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Makes one block of innermost loops of a derivative that have two: the
/// header, which they are left from, and a latch that may be computed ahead.
struct FoldLatchesPass : llvm::PassInfoMixin<FoldLatchesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
