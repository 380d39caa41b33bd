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

/// In each iteration of \p L each byte that one of \p Readers reads of \p A, a
/// variable or a block, has been written there, before, by one of \p Writers.
/// All are simple loads, stores and block operations; what is not in \p L is
/// not looked at. If \p A is another pointer, \p Bytes says how far behind it
/// they may be.
bool isWrittenBeforeRead(const llvm::Value &A, uint64_t Bytes,
                         const llvm::Loop &L,
                         llvm::ArrayRef<const llvm::Instruction *> Readers,
                         llvm::ArrayRef<const llvm::Instruction *> Writers,
                         const Primal &P, LoopMemory &M);

} // namespace adze
#endif
