// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says where active data and memory declared inactive meet.
#ifndef ADZE_ANALYSIS_ACTIVITY_CONFLICTS_H
#define ADZE_ANALYSIS_ACTIVITY_CONFLICTS_H

#include "adze/Diagnostics.h"

namespace adze {

class FunctionActivity;

/// Reports one ActivityConflict for each argument, global, or memory of
/// unknown origin that needs a shadow and cannot have one. \p Unknown: active
/// data reaches functions that cannot be looked into, which is reported
/// elsewhere and explains memory of unknown origin. \p AtRunTime: memory
/// without shadow is inactive whatever is stored there
/// (Request::RuntimeActivity).
void reportConflicts(const FunctionActivity &A, bool Unknown, bool AtRunTime,
                     Diagnostics &Diags, const Origin &From);

/// Reports where memory with a shadow is overwritten by what the program
/// declares inactive: its shadow would keep what belongs to the old content.
void reportSilentWrites(const FunctionActivity &A, Diagnostics &Diags,
                        const Origin &From);

} // namespace adze
#endif
