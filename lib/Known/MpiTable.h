// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of Mpi.def, and what they say of calls.
#ifndef ADZE_KNOWN_MPITABLE_H
#define ADZE_KNOWN_MPITABLE_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace adze::mpi {

struct Row {
  llvm::StringRef Name, Parameters;
};

/// Null if there is none.
const Row *rowOf(const llvm::Function &F);

/// The library has done with the memory when the function returns.
bool isBuffer(char Role);
bool isKeptBuffer(char Role);

/// All datatypes of \p Call are those of numbers: all ranks agree on that.
bool hasTypesOfNumbers(const llvm::CallBase &Call, const Row &R);
/// \p Call has such types, and no derivative unless its buffers hold floats.
void declareNumbers(llvm::CallBase &Call);

} // namespace adze::mpi
#endif
