// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offers copies of arrays. See the two files for why they may be made.
#ifndef ADZE_LIB_ALTERNATIVES_SNAPSHOTS_H
#define ADZE_LIB_ALTERNATIVES_SNAPSHOTS_H

#include "Loops/LoopMemory.h"

namespace adze {

/// A load of a number where a copy may take the place of memory.
struct ArrayRead {
  llvm::LoadInst *Load;
  llvm::Value *Array;
  /// The largest loop around it in which nobody writes to what it may read; or
  /// nobody before it has read it, if it is ordered.
  const llvm::Loop *Quiet;
  /// In the largest nest in Quiet for which that can be said.
  std::optional<AffineAccess> Access;

  /// In all of Quiet.
  bool isOrdered() const { return Access && Access->Nest == Quiet; }
};

/// Copies that several nests share, or that are read at any index, for some of
/// \p Reads.
void offerSharedSnapshots(Primal &P, LoopMemory &M,
                          llvm::SCEVExpander &Expander,
                          llvm::ArrayRef<ArrayRead> Reads);

} // namespace adze
#endif
