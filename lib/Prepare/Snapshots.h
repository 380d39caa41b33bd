// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offers copies of arrays. See the two files for why they may be made.
#ifndef ADZE_LIB_PREPARE_SNAPSHOTS_H
#define ADZE_LIB_PREPARE_SNAPSHOTS_H

#include "Loops/LoopMemory.h"

namespace adze {

/// \p Load reads a number where copies may take the place of memory.
bool mayReadCopy(const llvm::LoadInst &Load, const Primal &P);

/// Copies that several nests share, or that are read at any index, for some of
/// \p Loads.
void offerSharedSnapshots(Primal &P, LoopMemory &M,
                          llvm::SCEVExpander &Expander,
                          llvm::ArrayRef<llvm::LoadInst *> Loads);

} // namespace adze
#endif
