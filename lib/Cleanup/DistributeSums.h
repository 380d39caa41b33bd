// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reverse of a loop that gathers is a loop that scatters:
//
//   for (j)                            for (j) {
//     y[j] = a * u[j - 1] + b * u[j];    dy = dy_[j];  dy_[j] = 0;
//                                        du[j - 1] += a * dy;
//                                        du[j] += b * dy;
//                                      }
//
// Each iteration adds to what the one before has just stored. So no compiler
// may vectorize the loop, and the processor waits for each store. But sums do
// not ask for an order:
//
//   for (j) du[j - 1] += a * dy_[j];
//   for (j) { dy = dy_[j];  dy_[j] = 0;  du[j] += b * dy; }
//
// Either loop can be vectorized. (Better still, each element is read and
// written once: GatherSums.h. That is done, too, where the loop has one sum,
// and hands on to the next iterations what is left behind it.) It is the
// distribution of loops (Allen and Kennedy, Optimizing Compilers for Modern
// Architectures, 5.2), past dependences that only order additions.
#ifndef ADZE_CLEANUP_DISTRIBUTESUMS_H
#define ADZE_CLEANUP_DISTRIBUTESUMS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class AAResults;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace adze {

class AccessRanges;

/// DistributeSumsPass will make one loop over elements of \p L, an innermost
/// loop, which goes up (GatherSums.h).
bool willBeGathered(llvm::Loop &L, llvm::ScalarEvolution &SE,
                    AccessRanges &Ranges, llvm::AAResults &AA);

/// Distributes innermost loops of a derivative that add to memory at several
/// constant distances, where that is no other memory than what the loop
/// accesses otherwise. Tested at run time where it is not known.
struct DistributeSumsPass : llvm::PassInfoMixin<DistributeSumsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
