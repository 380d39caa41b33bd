// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What derivatives cannot do yet in code for a GPU, where many threads run them
// at the same time: it is refused. Sums of adjoints are atomic there
// (Request::InTeam).
#ifndef ADZE_PLAN_DEVICELIMITS_H
#define ADZE_PLAN_DEVICELIMITS_H

#include "Needs.h"

namespace adze {

/// Refuses
///   * variables of the device that have shadows: the threads share both, and
///     each would make the shadow zero when it begins;
///   * in reverse mode, what waits for other threads or exchanges values with
///     them, and memory whose size only the run knows.
void visitDeviceNeeds(const Facts &F, NeedsVisitor &Visitor);

/// The tape of \p P would need memory whose size only the run knows; that has
/// been reported.
bool refuseDeviceMemory(const Plan &P, Diagnostics &Diags, const Origin &From);

} // namespace adze
#endif
