// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A load or a store as all of this layer sees it: an address, in terms of
// ScalarEvolution, and a number of bytes; and how the address moves in a loop.
#ifndef ADZE_LIB_LOOPS_LOOPACCESS_H
#define ADZE_LIB_LOOPS_LOOPACCESS_H

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <optional>

namespace adze {

struct LoopAccess {
  llvm::Instruction *I;
  const llvm::SCEV *Address;
  uint64_t Size; // bytes
};

/// Nothing for instructions that are no load or store, or whose size is not
/// known.
std::optional<LoopAccess> accessOf(const llvm::Instruction &I,
                                   llvm::ScalarEvolution &SE);

/// \p Address if it moves by the same step in each iteration of \p L; else
/// null.
const llvm::SCEVAddRecExpr *advanceIn(const llvm::SCEV *Address,
                                      const llvm::Loop &L);

/// The step, if it is a constant.
const llvm::SCEVConstant *constantStepIn(const llvm::SCEV *Address,
                                         const llvm::Loop &L,
                                         llvm::ScalarEvolution &SE);

/// How far \p To lies behind \p From, if that is always the same.
std::optional<int64_t> distance(const llvm::SCEV *From, const llvm::SCEV *To,
                                llvm::ScalarEvolution &SE);

/// No two iterations of \p L, in one run, access a common byte by \p A. (An
/// address would wrap around after 2^60 iterations at the earliest.)
bool isElsewhereEachTime(const LoopAccess &A, const llvm::Loop &L,
                         llvm::ScalarEvolution &SE);

/// The least or the greatest of the addresses From, From + Step, ..., From +
/// Count * Step, where none of them wraps around. \p Count is not negative.
const llvm::SCEV *endOf(const llvm::SCEV *From, const llvm::SCEV *Step,
                        const llvm::SCEV *Count, bool Least,
                        llvm::ScalarEvolution &SE);

} // namespace adze
#endif
