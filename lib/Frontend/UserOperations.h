// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of MPI that the program makes from a function of its own.
#ifndef ADZE_LIB_FRONTEND_USEROPERATIONS_H
#define ADZE_LIB_FRONTEND_USEROPERATIONS_H

namespace llvm {
class Module;
} // namespace llvm

namespace adze {

/// Has \p M tell the runtime the derivatives of the function behind each call
/// of MPI_Op_create, and of MPI_Op_free that it is gone: calls of ours beside
/// them, and functions with markers, which are differentiated like the
/// program's. True if there were any.
bool tellUserOperations(llvm::Module &M);

} // namespace adze
#endif
