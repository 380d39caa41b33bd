// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_KNOWN_MPIMEETINGS_H
#define ADZE_KNOWN_MPIMEETINGS_H

#include "adze/Runtime.h"

namespace adze::mpi {

/// Puts meetings around the calls of MPI in \p M, if \p M accesses windows
/// without fences (Runtime/MpiTurns.h), and gives them derivatives of \p Unit,
/// the runtime for the handles of \p M. True if that changed \p M.
bool insertMeetings(llvm::Module &M, const RuntimeUnit &Unit);

} // namespace adze::mpi
#endif
