// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds of the iterations that a thread has (Teams.h), in what is calculated
// of them. Those of a loop that is shared out in chunks advance by their stride
// from one iteration of a loop over chunks to the next.
#ifndef ADZE_LIB_ANALYSIS_SHARING_CHUNKBOUNDS_H
#define ADZE_LIB_ANALYSIS_SHARING_CHUNKBOUNDS_H

#include "llvm/Analysis/ScalarEvolutionExpressions.h"

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

} // namespace adze
#endif
