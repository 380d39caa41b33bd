// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two loops of one block each that can be made one (FuseLoops.h), what stands
// between them, and how: a description, which emitFused() carries out.
#ifndef ADZE_LIB_CLEANUP_LOOPPAIR_H
#define ADZE_LIB_CLEANUP_LOOPPAIR_H

#include "LoopOrder.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace adze {

/// The way from one loop to the next that runs if all guards say so.
struct WayBetween {
  /// From the exit of the first loop to the preheader of the second one.
  llvm::SmallVector<llvm::BasicBlock *, 6> Blocks;
  /// What has to be true, or false, to go this way, and is known in front of
  /// the first loop, with the branch that asks.
  struct Guard {
    llvm::BranchInst *Branch;
    bool IsTrue;
  };
  llvm::SmallVector<Guard, 2> Guards;
  /// Of its instructions, those that go behind the fused loop, but in front of
  /// the rest of the second one. The others go in front.
  llvm::SmallPtrSet<const llvm::Instruction *, 8> Late;
};

struct LoopPair {
  llvm::Loop *First, *Second;
  /// The counters of those that count down and will count up.
  std::optional<CountDown> TurnedFirst, TurnedSecond;
  WayBetween Between;
  /// Iterations of the first loop in front of the fused one.
  unsigned Shift = 0;
  /// Iterations behind it, of either loop.
  unsigned RestOfFirst = 0, RestOfSecond = 0;
  /// How often the fused loop goes back; null if it ends when one of both does
  /// of itself.
  const llvm::SCEV *Back = nullptr;
  /// What has to be true besides, known in front of the first loop.
  llvm::SmallVector<llvm::Value *, 2> Tests;
  /// Iterations that the fused loop has at least.
  unsigned Trips = 1;
  /// The accesses of both loops, those of one array together, and which arrays
  /// are apart if the tests say so.
  llvm::SmallVector<llvm::SmallVector<llvm::Instruction *, 4>, 8> Arrays;
  llvm::SmallVector<std::pair<unsigned, unsigned>, 16> Apart;
  /// Where that, or a guard, says no, the loops run a few times, or hardly
  /// ever.
  bool IsSeldomElse = true;
};

/// The loop that does what both did, in new blocks. The old ones stay where
/// guards, or the count, may lead there, and are unreachable else. Its block.
llvm::BasicBlock *emitFused(const LoopPair &P, llvm::ScalarEvolution &SE);

/// \p Branch leads to what a fused loop does or, seldom, to the loops as they
/// were.
bool leadsToFused(const llvm::BranchInst &Branch);
/// \p B leads to loops as they were.
bool isUnfused(const llvm::BasicBlock &B);

} // namespace adze
#endif
