// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where kept values lie on the tape.
//
// A value in a loop nest L1 > L2 > .. > Ln is an array over the nest. From the
// inside out, loops are taken into one segment as long as all their counts are
// known before the outermost of them is entered; a segment is one allocation,
// made there. What is left outside repeats the procedure with a pointer to the
// segment's array as element. A loop whose count is not known on entry is a
// segment of its own that grows; what only one of the paths through it keeps
// grows each time that this path is taken, if it is much. If all counts are
// constants and the whole array is small it lies in the tape itself.
#ifndef ADZE_PLAN_TAPELAYOUT_H
#define ADZE_PLAN_TAPELAYOUT_H

#include "adze/Plan.h"

namespace adze {

/// Gives each kept value of \p P, and each static alloca that needs storage, a
/// slot. Replaces all slots that \p P had.
void layOutSlots(Plan &P);

} // namespace adze
#endif
