// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often code runs, as the cost model sees it.
#ifndef ADZE_PLAN_TRIPCOUNTS_H
#define ADZE_PLAN_TRIPCOUNTS_H

#include "adze/Primal.h"
#include "llvm/ADT/DenseMap.h"

namespace adze {

/// No estimate is larger.
inline constexpr uint64_t MaxEstimate = uint64_t(1) << 40;

/// Of the loops of one primal; each is looked at once.
class TripEstimates {
public:
  explicit TripEstimates(const Primal &P) : P(P) {}

  /// Iterations of \p L: as the code says, if that is a constant; else as a
  /// profile says; else what its count comes to where each number that nobody
  /// knows is Options::AssumedTrips: a loop over n * n elements has the square
  /// of what one over n has, so that they compare as the loops themselves will.
  /// A constant that no iteration's counter exceeds bounds it. At least 1.
  uint64_t trips(const LoopRecord &L);
  /// The product of the trip counts of the loops around \p B, at most
  /// MaxEstimate.
  uint64_t runs(const llvm::BasicBlock *B);

private:
  uint64_t runsInside(const LoopRecord &L);

  const Primal &P;
  llvm::DenseMap<const LoopRecord *, uint64_t> Trips, Runs;
};

} // namespace adze
#endif
