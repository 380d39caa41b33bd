// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deallocations that the primal makes are put off in reverse mode (see
// lib/Rules/Ownership.h); the outermost derivative makes them at its end.
#ifndef ADZE_DEFERRED_H
#define ADZE_DEFERRED_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class CallBase;
class Function;
class Module;
class Value;
} // namespace llvm

namespace adze {

/// \p Call puts the block that is its first operand on the list.
bool putsOffFree(const llvm::CallBase &Call);

/// Puts \p Block, which \p Free gives back, on the list.
void deferFree(llvm::IRBuilderBase &B, const llvm::CallBase &Free,
               llvm::Value *Block);

/// Makes \p Outermost free, before it returns, what was put on the module's
/// list since it was entered. Nothing if the module defers no deallocation.
void emptyDeferredList(llvm::Function &Outermost);

/// Makes \p New the module's list and gives the old one; null, and nothing is
/// emitted, if the module defers no deallocation. So the first half of a split
/// derivative puts aside what the second will free.
llvm::Value *setDeferredList(llvm::IRBuilderBase &B, llvm::Value *New);

/// Begins an empty list; the old one. Here it does not matter whether what
/// defers deallocations is in the module already.
llvm::Value *beginDeferredList(llvm::IRBuilderBase &B);

/// Frees what is on \p List, which was put aside.
void freeDeferredList(llvm::IRBuilderBase &B, llvm::Value *List);

} // namespace adze
#endif
