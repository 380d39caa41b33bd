// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the markers of split reverse mode take besides the function's own
// arguments: the tape and its size.
#ifndef ADZE_LIB_FRONTEND_SPLITOPERANDS_H
#define ADZE_LIB_FRONTEND_SPLITOPERANDS_H

#include "Frontend/MarkerCall.h"

namespace adze {

/// Notes the tag \p T at operand \p At of the call, and moves \p At to the
/// operand that belongs to it. False after a report.
bool addSplitTag(MarkerCall &C, Tag T, llvm::StringRef Name, unsigned &At,
                 Diagnostics &Diags, const Origin &From);

/// matchArguments for a marker of split mode. After the arguments of the
/// second half the adjoint of the result (SeedOperands.h) and the tape may
/// stand, which are taken off. A call for the size may be made of tags alone,
/// one for each parameter, or of nothing. No value after a report.
std::optional<Match> matchSplitArguments(MarkerCall &C,
                                         std::vector<Group> &Groups,
                                         Diagnostics &Diags,
                                         const Origin &From);

/// \p C, a first half or the size of its tape, belongs to __enzyme_fwdsplit:
/// the file has that for the function, and no __enzyme_reverse, or \p C gives
/// tangents, which that would not.
bool servesTangents(const MarkerCall &C);

/// Adds the operands of \p C beyond the arguments to \p M.
void addSplitOperands(const MarkerCall &C, Marker &M);

} // namespace adze
#endif
