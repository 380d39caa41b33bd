// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which copies of what a callee reads behind its arguments its reverse half is
// given: where the caller overwrites the memory before that runs, and has been
// offered a copy, for loads of its own, that holds what is read.
//
// It costs nothing if the caller makes the copy for these loads anyway. If not,
// it takes the place of one value at least that the callee would keep for each
// element, or the callee does not read it, and it is not made.
#ifndef ADZE_PLAN_CALLCOPIES_H
#define ADZE_PLAN_CALLCOPIES_H

#include "adze/Facts.h"
#include "adze/Plan.h"

namespace adze {

/// For the request \p R of \p Call, complete but for that: Request::Copied.
llvm::SmallVector<unsigned, 2> copiedArguments(const llvm::CallBase &Call,
                                               const Request &R, const Facts &F,
                                               CalleeProvider &Callees);

/// CallPlan::Copies, if \p Inner is the plan of the callee, null if that is not
/// made yet.
llvm::SmallVector<const llvm::Value *, 2>
copiesRead(const llvm::CallBase &Call, const Request &R, const Plan *Inner,
           const Facts &F, CalleeProvider &Callees);

} // namespace adze
#endif
