// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of MPI by the names that Fortran has for them (docs/Mpi.md).
#ifndef ADZE_MPIFORTRAN_H
#define ADZE_MPIFORTRAN_H

namespace llvm {
class Module;
} // namespace llvm

namespace adze::mpi {

/// Puts calls of the functions of C in the place of those by Fortran's names
/// (mpi_send_, pmpi_send_, mpi_send_f08_). A call that this does not understand
/// stays, and is a function of MPI that is not known. True if \p M was changed.
bool lowerFortranCalls(llvm::Module &M);

} // namespace adze::mpi
#endif
