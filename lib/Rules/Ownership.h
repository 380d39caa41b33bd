// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who ends a heap block. The reverse pass still reads, and accumulates into
// the shadow of, memory that the primal has already freed; so in reverse mode
// no block is freed where the primal frees it:
//
//  * a block that never leaves its function and whose deallocations all name
//    it exactly is *owned*: its calls of free vanish, and the reverse of its
//    allocation frees it and its shadow;
//  * for every other block the call of free puts the block and its shadow on
//    a list that the outermost derivative empties when it is done.
#ifndef ADZE_RULES_OWNERSHIP_H
#define ADZE_RULES_OWNERSHIP_H

namespace llvm {
class CallBase;
class Function;
class IRBuilderBase;
class Module;
class Value;
} // namespace llvm

namespace adze {

/// What becomes of the block that allocation call \p Alloc makes.
struct Ownership {
  bool Owned = false;
  bool Freed = false; // owned, and some call in the function frees it
};
Ownership ownershipOf(const llvm::CallBase &Alloc);

/// The owned allocation that the deallocation \p Free ends; null if none.
const llvm::CallBase *ownedAllocationOf(const llvm::CallBase &Free);

/// Emits the call that puts \p Block on the list, to be freed by
/// \p Deallocator, a function of one pointer.
void emitDeferredFree(llvm::IRBuilderBase &B, llvm::Value *Block,
                      llvm::Function *Deallocator);

} // namespace adze
#endif
