// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on floats, however they are written.
#ifndef ADZE_LIB_PREPARE_ATOMICFLOATS_H
#define ADZE_LIB_PREPARE_ATOMICFLOATS_H

namespace llvm {
class BasicBlock;
class Instruction;
class Type;
} // namespace llvm

namespace adze {

/// The type of float (for some functions of the library, two of them) that \p I
/// reads, writes or changes atomically, as itself or as its bits; null if it
/// does something else.
llvm::Type *atomicFloatType(llvm::Instruction &I);

/// \p I is a sum whose old value nobody uses.
bool isAtomicSum(const llvm::Instruction &I);

/// Control comes from \p Read to \p Exchange by way of \p Header, without
/// waiting for others in between, and from there, by \p Latch, back to \p
/// Header until the exchange succeeds.
bool triesAgain(const llvm::Instruction &Exchange,
                const llvm::Instruction &Read, const llvm::BasicBlock &Header,
                const llvm::BasicBlock &Latch);

} // namespace adze
#endif
