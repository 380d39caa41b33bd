// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says where active data and memory declared inactive meet.
#ifndef ADZE_ANALYSIS_ACTIVITY_CONFLICTS_H
#define ADZE_ANALYSIS_ACTIVITY_CONFLICTS_H

#include "adze/Analyses.h"

namespace adze {

class ActivityTable;
class FunctionActivity;

/// Reports one ActivityConflict for each argument, global, or memory of
/// unknown origin that needs a shadow and cannot have one; \p Table has the
/// callees that store or read there. \p AtRunTime: memory without shadow is
/// inactive whatever is stored there (Request::RuntimeActivity).
void reportConflicts(const FunctionActivity &A, const ActivityTable &Table,
                     bool AtRunTime, Diagnostics &Diags, const Origin &From);

/// Reports where memory with a shadow is overwritten by what the program
/// declares inactive: its shadow would keep what belongs to the old content.
void reportInactiveWrites(const FunctionActivity &A, Diagnostics &Diags,
                          const Origin &From);

/// Reports where the address of memory with a shadow is computed from integers
/// of which one has no dual, and is no number for sure.
void reportIntegerAddresses(const FunctionActivity &A,
                            const ActivityTable &Table, Diagnostics &Diags,
                            const Origin &From);

/// Reports where a number is read from text or a file to which active data was
/// written, in what \p R asks of \p P (see TextFlow.cpp).
/// \p Solved and \p Root: the activity of the request as it is.
void reportTextCuts(const ActivityTable &Solved, const FunctionActivity &Root,
                    const Primal &P, const Request &R, const TypeInfo &Types,
                    PrimalLookup Callees, Diagnostics &Diags,
                    const Origin &From);

} // namespace adze
#endif
