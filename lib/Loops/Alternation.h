// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers that a loop exchanges from one iteration to the next:
//
//   double *u = work, *next = work + n;
//   for (t < T) { ..; double *swap = u; u = next; next = swap; }
//   for (t < T) .. u[(t + 1) % 2][i] = f(u[t % 2][i]);
//
// In each iteration they are one of a few permutations of those in front of the
// loop, and the parity of the counter is 0 or 1.
#ifndef ADZE_LIB_LOOPS_ALTERNATION_H
#define ADZE_LIB_LOOPS_ALTERNATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace adze {

/// \p Test holds of what the expressions \p S are in each of the iterations of
/// the loop that exchanges their buffers. False where no loop does, or it goes
/// through too many cases. All of \p S are evaluated in one iteration.
bool inEachCase(
    llvm::ArrayRef<const llvm::SCEV *> S, const llvm::LoopInfo &LI,
    llvm::ScalarEvolution &SE,
    llvm::function_ref<bool(llvm::ArrayRef<const llvm::SCEV *>)> Test);

} // namespace adze
#endif
