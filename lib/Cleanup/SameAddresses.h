// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One address, spelled in two ways:
//
//   row = &dx[k * d];  row[j] -= a;
//   dx[k * d + j] -= b;
//
// LLVM leaves the first form of an index that is used once, the second of one
// that several arrays share; so what the primal reads twice may have both.
// Going back, both are sums to one element, which are one sum only where the
// addresses are one value. Else the vectorizer asks whether the array meets
// itself, which it does: for ScalarEvolution 8 * (k * d + j) is not
// 8 * k * d + 8 * j.
//
// So addresses are compared as sums, over integers modulo 2^64:
//
//   base + c + c1 * v1 + c2 * v2 + ...
#ifndef ADZE_CLEANUP_SAMEADDRESSES_H
#define ADZE_CLEANUP_SAMEADDRESSES_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// What is accessed in an innermost loop by two addresses that are the same is
/// accessed by the first of them.
struct SameAddressesPass : llvm::PassInfoMixin<SameAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
