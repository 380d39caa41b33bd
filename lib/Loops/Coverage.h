// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether each iteration of a loop writes what it reads of a variable:
//
//   double k1[3], k2[3];
//   for (t < T) {
//     for (i < 3) k1[i] = f(u, i);
//     for (i < 3) k2[i] = f(u, i, k1);
//     for (i < 3) u[i] += k2[i];
//   }
//
// So the variable might as well be a new one in each iteration.
#ifndef ADZE_LIB_LOOPS_COVERAGE_H
#define ADZE_LIB_LOOPS_COVERAGE_H

#include "adze/Primal.h"

namespace adze {

struct LoopMemory;

/// Those of \p Readers that may read a byte of \p A, a variable or a block,
/// that none of \p Writers has written in the same iteration of \p L, before.
/// All are simple loads, stores and block operations; what is not in \p L is
/// not looked at. If \p A is another pointer, \p Bytes says how far behind it
/// they may be, or is 0 if no constant says that.
llvm::SmallVector<const llvm::Instruction *, 4>
readBeforeWritten(const llvm::Value &A, uint64_t Bytes, const llvm::Loop &L,
                  llvm::ArrayRef<const llvm::Instruction *> Readers,
                  llvm::ArrayRef<const llvm::Instruction *> Writers,
                  const Primal &P, LoopMemory &M);

/// Those of \p Writers that may have written, in an iteration of \p L, what \p
/// Reader reads there in that iteration. All access \p A, as above.
llvm::SmallVector<const llvm::Instruction *, 4>
writersOfWhatIsRead(const llvm::Value &A, uint64_t Bytes, const llvm::Loop &L,
                    const llvm::Instruction &Reader,
                    llvm::ArrayRef<const llvm::Instruction *> Writers,
                    const Primal &P, LoopMemory &M);

} // namespace adze
#endif
