// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums in memory that threads share.
#ifndef ADZE_ATOMICSUM_H
#define ADZE_ATOMICSUM_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class LoadInst;
} // namespace llvm

namespace adze {

struct Facts;

/// Values of type \p Ty can be added so: a float that the target exchanges as
/// one word, or a vector of such.
bool canAddAtomically(const llvm::Type *Ty);

/// The type as which the adjoint of \p Load, which is aligned to its size, can
/// be added so: an integer may have the bits of one float. Null if it cannot.
llvm::Type *atomicTypeOf(const llvm::LoadInst &Load, const Facts &F);

/// memory at \p Place += \p Term, each float by itself. They are aligned to
/// their size.
void addAtomically(llvm::IRBuilderBase &B, llvm::Value *Place,
                   llvm::Value *Term);
/// The same, but as one thread does where the i1 \p Alone is true.
void addAtomicallyUnless(llvm::IRBuilderBase &B, llvm::Value *Alone,
                         llvm::Value *Place, llvm::Value *Term);

} // namespace adze
#endif
