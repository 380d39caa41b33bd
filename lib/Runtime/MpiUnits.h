// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_RUNTIME_MPIUNITS_H
#define ADZE_RUNTIME_MPIUNITS_H

#include "adze/Runtime.h"

namespace adze {

/// Mpi.c, for handles that are pointers (Open MPI) and numbers (MPICH).
extern const RuntimeUnit MpiUnit, MpiNumberedUnit;

/// MpiFortran.c, likewise.
extern const RuntimeUnit MpiFortranUnit, MpiFortranNumberedUnit;

} // namespace adze
#endif
