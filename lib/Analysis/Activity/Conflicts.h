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
/// elsewhere and explains memory of unknown origin.
void reportConflicts(const FunctionActivity &A, bool Unknown,
                     Diagnostics &Diags, const Origin &From);

} // namespace adze
#endif
