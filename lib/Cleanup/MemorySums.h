// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums in memory, *p += x, as the loops of derivatives are full of: every
// adjoint of a load is one. Whoever changes the order of sums asks here.
#ifndef ADZE_LIB_CLEANUP_MEMORYSUMS_H
#define ADZE_LIB_CLEANUP_MEMORYSUMS_H

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace llvm {
class BatchAAResults;
}

namespace adze {

/// A load, additions that may be reordered and that nothing else reads, and a
/// store to where the load read, all in one block.
struct MemorySum {
  llvm::LoadInst *Old;
  llvm::StoreInst *New;
};

/// The sum that ends with \p Store.
std::optional<MemorySum> sumOf(llvm::StoreInst &Store,
                               llvm::ScalarEvolution &SE);

/// Nothing is stored to the element between load and store of \p S. Of calls
/// in between the caller knows that they write no memory.
bool isUndisturbed(const MemorySum &S, llvm::ScalarEvolution &SE,
                   llvm::BatchAAResults &Alias);

/// The element lies where elements of its type do, so that two of them are the
/// same or have no byte in common.
bool isAligned(const MemorySum &S);

/// To compute \p I again, with other operands, costs less than what a loop of
/// its own for a sum saves.
bool isCheapToRepeat(const llvm::Instruction &I);

} // namespace adze
#endif
