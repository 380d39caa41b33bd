// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that each iteration of a loop fills before it reads it, so that it
// might as well be new in each of them: variables and blocks, whether they are
// made in the iteration or in front of the loop, and work space that the
// function is given. Other parts of the same memory may be a state that
// iterations hand on, if what is read of it stands in a copy, too:
//
//   double *y = work, *k = work + n;
//   for (s < steps) {
//     for (i < n) k[i] = f(y, i);
//     for (i < n) y[i] += h * k[i];
//   }
#ifndef ADZE_PLAN_SCRATCHMEMORY_H
#define ADZE_PLAN_SCRATCHMEMORY_H

#include "adze/Facts.h"
#include "llvm/ADT/SmallVector.h"

namespace adze {

struct ScratchObject {
  /// An alloca, an allocation, or another pointer.
  const llvm::Value *Object = nullptr;
  /// All of an allocation, and what the iterations access behind another
  /// pointer. Nothing for an alloca.
  Extent All;
  /// What reads it although the iteration may not have written there. It has
  /// an alternative that does not.
  llvm::SmallVector<const llvm::Instruction *, 4> OfState;
  /// What writes to it in the loop.
  llvm::SmallVector<const llvm::Instruction *, 4> Writers;
};

/// What \p Reader, in \p L, reads of \p Scratch was written by one of these.
llvm::SmallVector<const llvm::Instruction *, 4>
writersFor(const llvm::Instruction &Reader, const ScratchObject &Scratch,
           const Facts &F, const LoopRecord &L);

/// The scratch memory of \p L, of which \p Blocks are those that the reverse
/// pass visits. Blocks of memory have undefined content when they are made.
llvm::SmallVector<ScratchObject, 4>
findScratch(const Facts &F, const LoopRecord &L,
            llvm::ArrayRef<const llvm::BasicBlock *> Blocks);

} // namespace adze
#endif
