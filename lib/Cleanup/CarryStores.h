// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a loop stores and reads again, in the same iteration or in the next one,
// stays in a register; what it stores and overwrites is stored once:
//
//   for (i) {                               b = p[1];
//     a = p[i + 1];  p[i + 1] = 0;   =>     for (i) {
//     p[i] += f(a);                           a = p[i + 1];  p[i] = b + f(a);
//   }                                         b = 0;
//                                           }
//                                           p[n] = 0;
//
// Vector code can hand on a number to the next iteration, but not memory.
#ifndef ADZE_LIB_CLEANUP_CARRYSTORES_H
#define ADZE_LIB_CLEANUP_CARRYSTORES_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class BasicBlock;
} // namespace llvm

namespace adze {

/// Does so in the loop of one block \p Body, which runs \p Trips times at least
/// and whose exit has no other predecessor. What \p FAM knows of the function
/// is no longer so.
void carryStores(llvm::BasicBlock &Body, unsigned Trips,
                 llvm::FunctionAnalysisManager &FAM);

} // namespace adze
#endif
