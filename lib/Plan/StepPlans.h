// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plan of a loop function, a loop with adze_checkpoint (Checkpoints.h). Its
// first half runs the steps and saves states; its second half runs steps again,
// from the states, and calls the fused derivative of each, the last one first.
// When to do what is decided at run time (Runtime/CheckpointSchedule.h). So
// nothing of the loop function's own code is reversed, and nothing is kept but
// the address of the states.
#ifndef ADZE_PLAN_STEPPLANS_H
#define ADZE_PLAN_STEPPLANS_H

#include "adze/Plan.h"

namespace adze {

/// Completes \p P, which has the call plan of the step, if it takes part.
/// False after a report.
bool planSteps(Plan &P, Diagnostics &Diags, const Origin &From);

/// What is wrong with the plan of a loop function.
llvm::Error verifySteps(const Plan &P);

} // namespace adze
#endif
