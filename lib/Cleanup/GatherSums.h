// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that sums are distributed over (DistributeSums.h) each read what
// they add and read and write what they add to. In one loop that follows the
// elements, each is read and written once:
//
//   for (j) { du[j - 1] += a * dy[j];  du[j] += b * dy[j]; }
//
//   du[0] += a * dy[1];                              of the first iteration
//   for (j) du[j] += b * dy[j] + a * dy[j + 1];
//   du[n - 1] += b * dy[n - 1];                      of the last one
//
// A sum to u[j - 1] is done one iteration later than it was: it is shifted.
// What it adds is computed from what that iteration of the loop reads, or,
// where the loop hands numbers on, one of the iterations before. The iterations
// that are the first or the last of some sums alone stand in front of the loop.
// (Loop alignment, as in Allen and Kennedy, Optimizing Compilers for Modern
// Architectures, 5.4, past dependences that only order additions.)
#ifndef ADZE_LIB_CLEANUP_GATHERSUMS_H
#define ADZE_LIB_CLEANUP_GATHERSUMS_H

#include "MemorySums.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace adze {

/// A sum of a loop of one block, whose place moves by a constant.
struct MovingSum : MemorySum {
  const llvm::SCEVAddRecExpr *Place;
};

/// The same, seen from the elements: in iteration i of the loop it adds to the
/// element that its group has in iteration i + Shift.
struct ShiftedSum : MovingSum {
  unsigned Group;
  unsigned Shift;
};

/// A phi of the header that what is added is computed from.
struct AdvancingPhi {
  llvm::PHINode *Phi;
  const llvm::SCEVAddRecExpr *Values;
  int64_t Step;
  bool NoWrap; ///< Signed.
};

/// How the sums of a loop are done such that each element is read and written
/// once.
struct GatheredSums {
  llvm::SmallVector<ShiftedSum, 8> Sums;
  llvm::SmallVector<AdvancingPhi, 4> Phis;
  unsigned NumGroups = 0;
  /// How many iterations before its own a sum needs, for its shift and for what
  /// iterations hand on. The loop has to have more.
  unsigned NumShifts = 0;
};

/// Iterations that the loop has at least if they are done so.
constexpr unsigned MinGatheredTrips = 16;

/// Nothing if it cannot be done, or is not worth it. The caller knows that the
/// order of the sums of \p L is free, that no other access of the loop is to an
/// element of theirs, and that what they add may be computed more than once.
std::optional<GatheredSums> gatherSums(const llvm::Loop &L,
                                       llvm::ArrayRef<MovingSum> Sums,
                                       llvm::ScalarEvolution &SE);

/// All that is read behind \p L, once the sums are done so, is computed from
/// what its last iterations read.
bool leavesNothing(const GatheredSums &G, const llvm::Loop &L,
                   llvm::ScalarEvolution &SE);

/// What \p S adds depends on all iterations of \p L before its own: on a number
/// that each computes from that of the one before.
bool isRecurrent(const MemorySum &S, const llvm::Loop &L,
                 llvm::ScalarEvolution &SE);

struct GatheredCode {
  llvm::BasicBlock *First;
  /// What phis of the exit are behind the loop, as far as that is known now.
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::Value *>, 4> Behind;
};

/// Does the sums of \p L in new blocks, which lead to \p Next, and says that
/// nothing else accesses their elements. What is computed once stands in front
/// of \p At, behind which the caller executes the new blocks, if there are
/// iterations enough. \p Runs: how often the latch of the loop leads back to
/// its header.
GatheredCode emitGatheredSums(const GatheredSums &G, llvm::Loop &L,
                              const llvm::SCEV &Runs, llvm::Instruction &At,
                              llvm::BasicBlock &Next, llvm::ScalarEvolution &SE,
                              llvm::LoopInfo &LI);

} // namespace adze
#endif
