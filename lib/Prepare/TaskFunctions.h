// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tasks of OpenMP become task calls (Tasks.h), and of what function.
#ifndef ADZE_LIB_PREPARE_TASKFUNCTIONS_H
#define ADZE_LIB_PREPARE_TASKFUNCTIONS_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class Constant;
class Function;
class Type;
} // namespace llvm

namespace adze {

/// Why derivatives must run a task where it is created; null if they need not.
/// \p Entry is the function that the runtime calls for the task.
const char *whyTaskRunsAtOnce(const llvm::Function &Entry);

/// What the function of a task reads in the task's block, or in the area that
/// the block's first word leads to.
struct TaskWord {
  bool InArea = false;
  uint64_t Offset = 0;
  llvm::Type *Ty = nullptr;
  /// It may be a float, to which something comes back.
  bool MayBeFloat = false;
};

/// The block that the runtime gives a task.
struct TaskBlock {
  uint64_t Bytes = 0, AreaBytes = 0;
  /// What the runtime wants to know of the place in the program.
  llvm::Constant *Place = nullptr;
};

struct TaskFunction {
  /// Takes the words, each by value, or by reference where \p ByReference was
  /// asked for and it may be a float.
  llvm::Function *F = nullptr;
  llvm::SmallVector<TaskWord, 8> Words;
};

/// None where what \p Entry reads is not known word by word.
std::optional<TaskFunction>
taskFunction(llvm::Function &Entry, const TaskBlock &Block, bool ByReference);

} // namespace adze
#endif
