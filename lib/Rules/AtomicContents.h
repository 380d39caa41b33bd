// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What atomic read-modify-writes change: for the rules of floats and pointers
// (Atomics.cpp) and of integers (AtomicBits.cpp).
#ifndef ADZE_RULES_ATOMICCONTENTS_H
#define ADZE_RULES_ATOMICCONTENTS_H

#include "FloatLeaves.h"
#include "adze/RuleContext.h"

namespace adze {

/// Why an operation in a team is refused.
constexpr const char *NoPlainSum =
    "an atomic operation on active data that is no plain sum of a float or "
    "double";

/// What \p I, an atomicrmw or a cmpxchg, puts or computes with.
const llvm::Value *newValueOf(const llvm::Instruction &I);

/// What stands in the memory that \p I changes. Where bits of active floats
/// were stored as integers, numbers are Unknown.
BlockLayout atomicLayout(const llvm::Instruction &I, const Facts &F);
Content atomicContent(const llvm::Instruction &I, const Facts &F);

/// \p I changes a number that no derivative depends on.
bool isPlainNumber(const llvm::Instruction &I, const Facts &F);

/// i1: memory has the new value of exchange \p I now; null if it has in any
/// case.
llvm::Value *replacedByExchange(const llvm::Instruction &I, EmitContext &C);

/// The dual of the old content as the dual of what \p I returns.
llvm::Value *asAtomicResult(const llvm::Instruction &I, EmitContext &C,
                            llvm::Value *Old);

/// What memory's adjoint is before \p I, of which \p Left is what the old
/// content keeps of that behind \p I, and \p Adjoint that of the old content
/// in its result.
llvm::Value *withAdjointOfOld(const llvm::Instruction &I, EmitContext &C,
                              llvm::Value *Left, llvm::Value *Adjoint);

} // namespace adze
#endif
