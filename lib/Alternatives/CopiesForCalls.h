// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of arrays that nobody reads but regions of teams (GivenCopies.cpp has
// what they read), for all that the function itself does with them:
//
//   for (s < steps) {
//     alpha = dot(n, p, q);
//     combine(n, x, alpha, p);                 x += alpha * p
//     combine(n, p, beta, r);                  p = r + beta * p
//   }
//
// One copy of p for each step serves the reverse halves of all three.
//
// Why the copy, made in front of the first of these calls, holds what each of
// them reads:
//   * the first call dominates the others, in the same loop, and
//   * nothing from the first call on writes to the array before the other one.
//
// Why it may be made: all of it lies between two bytes that the first call is
// sure to read (ArgumentRange::IsRead), or, by conditions that are known in
// front of it, it reads nothing.
//
// A function that starts teams hands on what its own caller gives, so that its
// regions need not be inlined there.
#ifndef ADZE_LIB_ALTERNATIVES_COPIESFORCALLS_H
#define ADZE_LIB_ALTERNATIVES_COPIESFORCALLS_H

#include "adze/Primal.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace adze {

/// Adds to \p P.Snapshots and \p P.CallCopies, where calls have no copies yet.
/// \p CalleeOf: the canonical form of a function, or null.
void offerCopiesForCalls(
    Primal &P, llvm::function_ref<const Primal *(llvm::Function &)> CalleeOf);

} // namespace adze
#endif
