// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an active call of a function with a body is differentiated.
#ifndef ADZE_CALLPLAN_H
#define ADZE_CALLPLAN_H

#include "adze/Request.h"

namespace adze {

/// What is called where the primal makes the call, and what by a later pass.
enum class CallStrategy {
  Inactive,  // primal call only
  AtReverse, // primal call now; fused derivative called by the reverse pass
  AtOnce,    // the callee's whole derivative now, nothing later
  Split,     // first half now, second half later, sub-tape between
  Steps      // primal call now; again by a later pass, for any number of times
             // from states that are saved, and the fused derivative once from
             // each: the step of a loop function (Checkpoints.h)
};

/// An active call without a plan is Inactive: no derivative flows through it.
struct CallPlan {
  CallStrategy Strategy = CallStrategy::Inactive;
  const Derivative *Callee = nullptr;
  /// Which of the callee's parameters its reverse half reads (by argument).
  llvm::SmallVector<bool, 8> NeedsPrimal, NeedsShadow;
  /// For each of Request::Copied: the address of a copy (CallCopy), or null if
  /// the callee's reverse half does not read it.
  llvm::SmallVector<const llvm::Value *, 2> Copies;
  /// Split: the sub-tape has fields. If not there is no slot for it, and the
  /// callee's tape parameter is never read.
  bool HasTape = false;
  /// Split: the sub-tape is reached through a pointer that the caller
  /// allocates (recursion, growing loops, size); else it lies in the slot
  /// itself.
  bool TapeByPointer = false;
  /// All threads of a team make the call (Teams.h). Split: the slot holds what
  /// the two halves share, and each thread has its sub-tape there.
  bool ByTeam = false;
  /// A task makes the call (Tasks.h). Split: the tape is that of the task.
  bool ByTask = false;
  /// ByTask: its reverse half begins at the mirrored place of this wait. Null:
  /// at that of the call.
  const llvm::Instruction *BesideUpTo = nullptr;
};

} // namespace adze
#endif
