// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product with an adjoint stays zero where the adjoint is (see
// EmitContext::product): a comparison and a choice, which a vector does for all
// its elements at once and which cost a scalar iteration more than the product
// does. LLVM's vectorizer interleaves up to four vectors and leaves what does
// not fill them, up to 31 of 32 iterations, to a scalar loop. In a row of a
// matrix that is most of the time.
//
//   for (i ..) for (j < i) { dl[i][j] += v[j] * dq[i]; dv[j] += l[i][j] *
//   dq[i]; }
//
// So an inner loop of guarded products is to take one vector at a time. An
// outermost loop is not: arrays of one dimension are long.
#ifndef ADZE_CLEANUP_SHORTLOOPS_H
#define ADZE_CLEANUP_SHORTLOOPS_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Says so by `llvm.loop.interleave.count`, where the user says nothing.
struct ShortLoopsPass : llvm::PassInfoMixin<ShortLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
