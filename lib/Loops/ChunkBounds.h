// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds of the iterations that a thread has (Teams.h), in what is calculated
// of them. Those of a loop that is shared out in chunks advance by their stride
// from one iteration of a loop over chunks to the next.
#ifndef ADZE_LIB_LOOPS_CHUNKBOUNDS_H
#define ADZE_LIB_LOOPS_CHUNKBOUNDS_H

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <optional>

namespace adze {

const llvm::SCEV *withoutCasts(const llvm::SCEV *S);

/// The lower bound that \p S is, cast or not: that of a chunk, too, whose loop
/// is \p Chunks then (else null). Null if it is none.
const llvm::Value *lowerBoundIn(const llvm::SCEV *S, const llvm::Loop *&Chunks);
/// \p S is a stride, cast or not.
bool isStride(const llvm::SCEV *S);

/// What a count of iterations says of the bounds in it: Upper - Lower + Rest,
/// or a part of that many. It is the count of a loop that is entered, so
/// nothing in it wraps around.
struct BoundsDistance {
  const llvm::Value *Lower = nullptr, *Upper = nullptr;
  /// Where they advance; null if they do not.
  const llvm::Loop *Chunks = nullptr;

  void add(const llvm::SCEV *S, int64_t Times);
  /// It has one of each, and the iterations are between them. To be asked once
  /// all is added.
  bool isRight();

private:
  void addLeaf(const llvm::SCEV *S, int64_t Times);
  void addAdvance(const llvm::SCEVAddRecExpr &S, int64_t Times);
  void addChoice(const llvm::SCEVMinMaxExpr &Choice, int64_t Times);

  int64_t Rest = 0;
  bool Fits = true;
  /// A phi that may advance as upper bounds do.
  const llvm::PHINode *UpperPhi = nullptr;
  /// Upper is not less than this lower bound, which advances in that loop.
  const llvm::Value *Least = nullptr;
  const llvm::Loop *LeastChunks = nullptr;
};

/// The iterations of all threads of a team, of a loop that they share in steps
/// of one, as numbers of one type that do not overflow.
struct SharedIterations {
  const llvm::SCEV *Lower;        // the first one of this thread, in an address
  const llvm::SCEV *First, *Last; // of all threads, if there is any
  const llvm::Value *LowerBound, *UpperBound; // of this thread
  /// The loop runs all that there are between the two, if it is entered.
  bool IsWhole;
};

/// Those of \p L, if \p Start, an address in its first iteration, tells of
/// them.
std::optional<SharedIterations> sharedIterations(const llvm::Loop &L,
                                                 const llvm::SCEV *Start,
                                                 llvm::ScalarEvolution &SE);
/// If \p Condition is as \p Is says, which is so where a thread comes to the
/// loop, that says no more than that it has any of \p Iterations.
bool saysThatThreadHasAny(const SharedIterations &Iterations,
                          const llvm::Value &Condition, bool Is);

} // namespace adze
#endif
