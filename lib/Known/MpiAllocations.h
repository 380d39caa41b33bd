// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_KNOWN_MPIALLOCATIONS_H
#define ADZE_KNOWN_MPIALLOCATIONS_H

#include "adze/Runtime.h"

namespace adze::mpi {

/// Puts MPI_Alloc_mem and MPI_Win_create in the place of MPI_Win_allocate
/// (Runtime/MpiWindowMemory.h); \p Unit: the runtime for the handles of \p M.
/// True if that was changed.
bool lowerWindowAllocations(llvm::Module &M, const RuntimeUnit &Unit);

} // namespace adze::mpi
#endif
