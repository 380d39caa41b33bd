// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How each active call of a function with a body is differentiated, and the
// requests for the derivatives of the callees.
//
// In reverse mode a call either keeps a sub-tape (Split), or keeps nothing and
// runs the callee once more when the reverse pass comes to it (AtReverse). The
// second costs one more primal run and no memory. It is open to callees that
// only read memory, and memory that is still the same then. A callee that does
// the same with its own calls would run them three times, theirs four times
// and so on; so only callees that call no function with a body qualify, which
// also keeps recursion out.
#ifndef ADZE_PLAN_CALLPLANS_H
#define ADZE_PLAN_CALLPLANS_H

#include "Needs.h"

namespace adze {

/// Plans all active calls in \p Blocks, in that order. False after a report;
/// the other calls have been asked for all the same, so that all their
/// problems come out together.
bool planCalls(const Facts &F, llvm::ArrayRef<const llvm::BasicBlock *> Blocks,
               CalleeProvider &Callees, Diagnostics &Diags, const Origin &From,
               CallPlanMap &Calls);

} // namespace adze
#endif
