// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that have no body here: which of them belong to a model of parallel
// programming, whose derivative is no matter of a body.
#ifndef ADZE_PARALLELRUNTIME_H
#define ADZE_PARALLELRUNTIME_H

#include "adze/Diagnostics.h"
#include <optional>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace adze {

/// "OpenMP", "MPI" or the like if \p F is, by its name, one of their functions;
/// else "".
llvm::StringRef parallelModelOf(const llvm::Function &F);

/// \p I uses what libstdc++'s states of futures wait with, or a result that is
/// ready when the thread ends: derivatives call bodies of ours instead
/// (HeaderBodies.h), where these were not inlined.
bool usesInsideOfFuture(const llvm::Instruction &I);

/// What is to be said of active data in \p F, which has no body.
struct MissingFunction {
  Diag ID;
  llvm::SmallVector<std::string, 3> Args;
};
MissingFunction missingFunction(const llvm::Function &F);
/// The same of a function or intrinsic for GPUs that has no derivative, and is
/// known for that (DeviceGaps.def).
std::optional<MissingFunction> deviceGap(const llvm::Function &F);
/// The same of \p What, which threads that are not OpenMP's do.
MissingFunction threadsRefusal(const std::string &What);
/// The same of derivatives that exchange data with other processes.
MissingFunction nestedExchangeRefusal();
/// The same of \p What in code for a GPU.
MissingFunction deviceRefusal(const std::string &What, const std::string &Cure);

} // namespace adze
#endif
