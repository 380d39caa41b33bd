// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions whose body is in a header of a library and which derivatives treat
// by their name all the same. They are not inlined before (KeepClasses.h).
#ifndef ADZE_HEADERBODIES_H
#define ADZE_HEADERBODIES_H

namespace llvm {
class Function;
} // namespace llvm

namespace adze {

/// Derivatives call a body of ours (Known/Bodies.def): members of the states
/// of futures. The program declares nothing of \p F.
bool hasBodyBesideHeader(const llvm::Function &F);

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
