// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The adjoint of the result, from which a reverse pass starts. After the
// arguments the user may give one, a value of the type that the function
// returns: whatever the calling convention makes of it. In one call of reverse
// mode a function that returns one float needs none, and takes one behind
// adze_seed only, for it could be a misplaced shadow.
#ifndef ADZE_LIB_FRONTEND_SEEDOPERANDS_H
#define ADZE_LIB_FRONTEND_SEEDOPERANDS_H

#include "Frontend/MarkerCall.h"

namespace adze {

/// matchArguments for a call that goes back. Takes the adjoint, and the tape if
/// \p TakesTape, off the end of the operands. No value after a report.
std::optional<Match> matchBackward(MarkerCall &C, bool TakesTape,
                                   std::vector<Group> &Groups,
                                   Diagnostics &Diags, const Origin &From);

} // namespace adze
#endif
