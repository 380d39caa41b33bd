// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What other threads of a team may have written where they meet (Teams.h): all
// threads run the code of their region; beside a function that it calls, they
// may run any other.
#ifndef ADZE_LIB_ANALYSIS_MEMORY_TEAMWRITES_H
#define ADZE_LIB_ANALYSIS_MEMORY_TEAMWRITES_H

#include "Analysis/Sharing/ThreadObjects.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace adze {

class TeamWrites {
public:
  explicit TeamWrites(const Request &R) : R(R), Objects(R) {}

  void addMeeting(const llvm::Instruction &I) { Meetings.push_back(&I); }
  /// Some thread writes behind \p Base; anywhere. After all meetings are added:
  /// where none is, nothing of others is ever seen.
  void addWritten(const llvm::Value &Base);
  void addAnything() { Anything = true; }

  llvm::ArrayRef<const llvm::Instruction *> meetings() const {
    return Meetings;
  }
  bool othersMayWrite(const llvm::Value *Pointer);
  /// The caller says that the two addresses are of different memory.
  bool areApart(const llvm::Value *A, const llvm::Value *B);

private:
  const Request &R;
  ThreadObjects Objects;
  llvm::SmallVector<const llvm::Instruction *, 4> Meetings;
  llvm::SmallSetVector<const llvm::Value *, 4> Written;
  bool Anything = false;
};

} // namespace adze
#endif
