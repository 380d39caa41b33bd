// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of a thread: of deallocations that are put off (Deferred.h), and of
// shadow blocks that variables may keep (Runtime/KeptBlocks.c). What a thread
// of a team puts there while it runs a half of a derivative goes to the thread
// that has started the team: that one is there when the gradient ends.
#ifndef ADZE_TEAMLISTS_H
#define ADZE_TEAMLISTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Function;
class Module;
class StructType;
class Value;
} // namespace llvm

namespace adze {

/// What the module's derivatives have of such lists. Nothing is emitted for
/// those that they do not have.
class TeamLists {
public:
  explicit TeamLists(llvm::Module &M);

  /// Where the lists of all threads of a team come together; all zeros where
  /// it starts.
  llvm::StructType *placeType() const;
  /// The thread begins with empty lists.
  void begin(llvm::IRBuilder<> &B);
  /// Its lists go to \p Place, and it has those again that it had before.
  void give(llvm::IRBuilder<> &B, llvm::Value *Place);
  /// All threads have ended.
  void take(llvm::IRBuilder<> &B, llvm::Value *Place) const;

private:
  llvm::Module &M;
  const bool Defers, Keeps;
  llvm::Value *Deferred = nullptr, *Kept = nullptr; // what it had before
};

/// \p F, or a function of ours that it calls, puts something on such lists.
bool usesLists(llvm::Function &F);

} // namespace adze
#endif
