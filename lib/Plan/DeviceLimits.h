// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What derivatives cannot do yet in code for a GPU, where many threads run them
// at the same time: it is refused. Sums of adjoints are atomic there
// (Request::InTeam).
#ifndef ADZE_PLAN_DEVICELIMITS_H
#define ADZE_PLAN_DEVICELIMITS_H

#include "Needs.h"

namespace adze {

/// Refuses
///   * variables of the device that have shadows, but for those of a block:
///     nobody could make the shadow zero before all blocks begin;
///   * in reverse mode, exchanges of values between threads that have no rule,
///     fences that do not stand beside a barrier, and memory that the kernel
///     allocates.
void visitDeviceNeeds(const Facts &F, NeedsVisitor &Visitor);

/// The tape of \p P would need memory whose size only the run knows; that has
/// been reported.
bool refuseDeviceMemory(const Plan &P, Diagnostics &Diags, const Origin &From);

} // namespace adze
#endif
