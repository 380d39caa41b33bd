// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a library that have bodies of ours (Known/Bodies.def), among
// them some whose body is in a header, and which derivatives treat by their
// name all the same. Those are not inlined before (KeepClasses.h).
#ifndef ADZE_HEADERBODIES_H
#define ADZE_HEADERBODIES_H

#include <optional>

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace adze {

/// Derivatives call a body of ours (Known/Bodies.def): members of the states
/// of futures. The program declares nothing of \p F.
bool hasBodyBesideHeader(const llvm::Function &F);

/// A function of the library without a visible body that computes with no
/// floats: it moves data, and calls Callback, if it calls anything (qsort).
struct DataMover {
  const llvm::Value *Callback;
};
std::optional<DataMover> dataMoverOf(const llvm::CallBase &Call);

/// std::async, whose handler is for threads that the system does not give: a
/// derivative asks for none.
bool isStdAsync(const llvm::Function &F);

/// What sets the result of a future, and keeps there what a function throws
/// instead of a result.
bool keepsExceptionInFuture(const llvm::Function &F);

/// String attribute of a function that begins tasks of TBB: the name of the one
/// that derivatives call instead, which does the work in one thread.
inline constexpr char SerialTwin[] = "adze.serial.twin";

} // namespace adze
#endif
