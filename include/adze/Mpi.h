// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of MPI (lib/Known/Mpi.def, docs/Mpi.md). Their derivatives are code
// of the runtime, and given as a program gives those of its own functions
// (GivenDerivatives.h): nothing else knows of them.
#ifndef ADZE_MPI_H
#define ADZE_MPI_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace adze::mpi {

/// Gives the functions of MPI that \p M calls their derivatives, unless the
/// program has given some itself. True if \p M was changed. To be called before
/// each round of markers: what one round does not need is erased after it.
bool giveDerivatives(llvm::Module &M);

/// A part of the runtime that a program calls beside "MPI_Op_create" (\p Which:
/// "made") and "MPI_Op_free" ("freed"): see Runtime/MpiUserOperations.h. Null
/// if \p M does not tell which handles its MPI has.
llvm::Function *operationHook(llvm::Module &M, llvm::StringRef Which);

/// \p M may reduce floats by an operation that the program has made.
bool reducesByUserOperation(const llvm::Module &M);

/// \p F is such a derivative, or a part of one. It has no derivative.
bool isRuntime(const llvm::Function &F);

/// \p F is, by its name, a function of MPI, but not one that is known: what it
/// exchanges with other ranks has no derivative, so it must not be called where
/// one is made.
bool isUnknown(const llvm::Function &F);

/// \p Call has datatypes of numbers only (MPI_INT), by which no derivative
/// goes: it counts as declared inactive, as long as there are no floats in its
/// buffers. Programs send these as numbers, too.
bool exchangesNumbers(const llvm::CallBase &Call);

/// A buffer of such a call.
struct NumberBuffer {
  unsigned Argument, Datatype; // arguments of the call
  uint64_t Bytes;              // UINT64_MAX if that is not known
  bool IsRead, IsWritten;
};
llvm::SmallVector<NumberBuffer, 2> numberBuffers(const llvm::CallBase &Call);
/// The datatype of \p B, a buffer of \p Call, as it is called in programs.
std::string numberTypeName(const llvm::CallBase &Call, const NumberBuffer &B);

} // namespace adze::mpi
#endif
