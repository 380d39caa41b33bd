// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory that the threads of a block on a GPU fill in each iteration of
// a loop, meet, and read:
//
//   for (t < tiles) {
//     as[y][x] = a[..];  bs[y][x] = b[..];
//     barrier();
//     for (k < 16) sum += as[y][k] * bs[k][x];
//     barrier();
//   }
//
// The reverse pass may fill it again before it takes an iteration back, and
// read there what the iteration has read:
//
//   as[y][x] = a[..];  bs[y][x] = b[..];          filled again
//   barrier();                                    that of the iteration's end
//   for (k < 16) .. += as[y][k] * .., .. += bs[k][x] * ..
//   barrier();
//
// What holds then. Each iteration, of this loop and of loops around it, writes
// to the same places W, for neither addresses nor conditions vary with them. A
// place in W holds what this iteration has put there; all that reads it stands
// behind a barrier that all writers stand in front of. A place beside W was
// written before the loop, if at all, and by nobody since: there it is still.
// Of how many threads there are, and whether they fill all of the memory,
// nothing need be known. Since no thread of the program writes where another
// one writes or reads before they meet, neither do those that fill again: all
// writers stand between the same two barriers.
#ifndef ADZE_PLAN_SHAREDFILLS_H
#define ADZE_PLAN_SHAREDFILLS_H

#include "adze/Facts.h"

namespace llvm {
class GlobalVariable;
class LoadInst;
class StoreInst;
} // namespace llvm

namespace adze {

struct SharedFill {
  const llvm::GlobalVariable *Memory = nullptr;
  llvm::SmallVector<const llvm::StoreInst *, 4> Stores;
  /// Those that find again what they have read.
  llvm::SmallVector<const llvm::LoadInst *, 8> Readers;
};

struct SharedFills {
  llvm::SmallVector<SharedFill, 2> Of;
  /// Going back through an iteration, threads come to a barrier before they
  /// read anything.
  bool MeetsFirst = false;
};

/// The shared memory that iterations of \p L, whose \p Blocks the reverse pass
/// visits, can fill again. Whether what they store can be computed again is for
/// others to say.
SharedFills findSharedFills(const Facts &F, const LoopRecord &L,
                            llvm::ArrayRef<const llvm::BasicBlock *> Blocks);

} // namespace adze
#endif
