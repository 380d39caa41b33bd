// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of OpenMP that derivatives run beside what creates them
// (docs/Parallel.md).
//
// In canonical form a task is a *task call*: a plain call of a function that
// takes by value what the task has captured. All analyses take it for a call,
// which is one of the ways in which the program may run. What is behind it, up
// to the next *wait*, does not depend on it, for the program has no races; so a
// derivative may run both at the same time. Its code does so by a *spawn*,
//
//   adze.task.begin(half, a, b, .., tape)
//
// of which the optimizer knows nothing. After all else is done, spawns become
// calls of the runtime (lib/Cleanup/LowerTaskCalls.cpp).
//
// The reverse half of a task begins at the mirrored place of its creation, or,
// where the plan says so, at that of the wait: then what is reversed between
// the two runs beside it, up to a *join*.
#ifndef ADZE_TASKS_H
#define ADZE_TASKS_H

#include "adze/Teams.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class CallBase;
class CallInst;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace adze::tasks {

/// void (): all tasks that this one has created have ended. It may be called in
/// vain.
inline constexpr llvm::StringLiteral Wait = "adze.task.wait";
/// Its mirror, where nothing happens.
inline constexpr llvm::StringLiteral WaitMirror = "adze.task.wait.back";
/// void (): what follows may depend on tasks that were begun beside what has
/// come before.
inline constexpr llvm::StringLiteral Join = "adze.task.join";

bool isTaskCall(const llvm::CallBase &Call);
/// \p Call becomes one; it is never inlined.
void markTaskCall(llvm::CallBase &Call);

bool isWait(const llvm::Instruction &I);
bool isWaitMirror(const llvm::Instruction &I);
bool isJoin(const llvm::Instruction &I);

/// What \p Call calls, but not as a task, may wait for tasks whoever has
/// created them, or for other threads.
bool mayWaitIn(const llvm::CallBase &Call);

/// When the instructions behind a spawn must have a wait before them.
enum class Order : uint8_t {
  OfPrimal, // where the primal has one, for it runs in the primal's order
  Strict,   // before all that may meet what the task accesses
  Beside    // the same, behind the join
};

/// A spawn of \p Half, of which the last argument is the tape, but that of a
/// Whole.
llvm::CallInst *createSpawn(llvm::IRBuilder<> &B, llvm::Function &Half,
                            llvm::ArrayRef<llvm::Value *> Args, teams::Half H,
                            Order O);
bool isSpawn(const llvm::CallBase &Call);
teams::Half halfOf(const llvm::CallBase &Spawn);
Order orderOf(const llvm::CallBase &Spawn);
/// Of a spawn, what the half gets.
inline constexpr unsigned SpawnFirst = 1;

void createCall(llvm::IRBuilder<> &B, llvm::StringRef Name);

} // namespace adze::tasks

#endif
