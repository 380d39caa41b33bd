// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of Mpi.def, and what they say of calls.
#ifndef ADZE_KNOWN_MPITABLE_H
#define ADZE_KNOWN_MPITABLE_H

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace adze::mpi {

struct Row {
  llvm::StringRef Name, Parameters;
};

/// Null if there is none.
const Row *rowOf(const llvm::Function &F);

/// Threads of a parallel region may call it.
bool isForTeams(const Row &R);
/// Derivatives in several directions call its derivatives once, not for each.
bool isForAllDirections(const Row &R);
/// \p F, of C or Fortran, has no derivative, and accesses of the program's
/// memory what it is given alone.
bool isQuery(const llvm::Function &F);

/// The library has done with the memory when the function returns.
bool isBuffer(char Role);
bool isKeptBuffer(char Role);

bool isDatatype(char Role);
/// Types tell what the bytes of its message are, where the datatype does not.
bool isDescribed(char Role);

/// The parameter of \p R with the datatype of the buffer that is \p Buffer;
/// none of a packed one.
std::optional<size_t> typeOfBuffer(const Row &R, size_t Buffer);

/// \p Datatype is a predefined one of floats.
bool tellsFloats(const llvm::Value *Datatype);

/// \p Call receives with any tag: derivatives tell messages of the program from
/// their own.
bool receivesAnyTag(const llvm::CallBase &Call, const Row &R);

/// All datatypes of \p Call are those of numbers: all ranks agree on that.
bool hasTypesOfNumbers(const llvm::CallBase &Call, const Row &R);
/// \p Call has such types, and no derivative unless its buffers hold floats.
void declareNumbers(llvm::CallBase &Call);

} // namespace adze::mpi
#endif
