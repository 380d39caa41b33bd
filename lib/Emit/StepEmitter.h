// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two halves of a loop function (Plan/StepPlans.h):
//
//   augmented                         reverse
//     states = begin(...)               while (todo = next(states))
//     region(states, ...) for each        todo == 1: step(...)
//     do step(states)                     todo == 2: fused derivative of step
//        r = step(...)
//     while (r says so)
//     end(states)
//
// The functions of states are lib/Runtime/Checkpoints.c.
#ifndef ADZE_EMIT_STEPEMITTER_H
#define ADZE_EMIT_STEPEMITTER_H

#include "adze/Plan.h"

namespace adze {

/// Fills the two functions of \p D, a split derivative.
void emitSteps(const Facts &F, const Plan &P, const Derivative &D);

} // namespace adze
#endif
