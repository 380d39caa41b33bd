// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that each iteration of a loop fills before it reads it, so that it
// might as well be new in each of them: variables and blocks, whether they are
// made in the iteration or in front of the loop, and work space that the
// function is given.
#ifndef ADZE_PLAN_SCRATCHMEMORY_H
#define ADZE_PLAN_SCRATCHMEMORY_H

#include "adze/Facts.h"
#include "llvm/ADT/SmallVector.h"

namespace adze {

struct ScratchObject {
  /// An alloca, an allocation (bytesOfBlock), or another pointer.
  const llvm::Value *Object = nullptr;
  /// How far the iterations access memory behind another pointer.
  uint64_t Bytes = 0;
  /// What writes to it in the loop.
  llvm::SmallVector<const llvm::Instruction *, 4> Writers;
};

/// The scratch memory of \p L, of which \p Blocks are those that the reverse
/// pass visits. Blocks of memory have undefined content when they are made.
llvm::SmallVector<ScratchObject, 4>
findScratch(const Facts &F, const LoopRecord &L,
            llvm::ArrayRef<const llvm::BasicBlock *> Blocks);

} // namespace adze
#endif
