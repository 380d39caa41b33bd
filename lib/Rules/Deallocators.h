// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ends a block that some function made. Blocks of operator new end by its
// operator delete: a program may have replaced both, and sanitizers and
// valgrind tell of anything else.
#ifndef ADZE_RULES_DEALLOCATORS_H
#define ADZE_RULES_DEALLOCATORS_H

#include "adze/Rule.h"

namespace adze {

/// What emitDeallocation() reads besides the block: the alignment that was
/// asked for, which an aligned operator delete is told, too. Null: nothing.
const llvm::Value *alignmentOfBlock(const llvm::CallBase &Allocation);

/// Ends \p Block, which \p Allocation made (or a copy of that call).
void emitDeallocation(EmitContext &C, llvm::Value *Block,
                      const llvm::CallBase &Allocation);

/// free(\p Block).
void emitCFree(EmitContext &C, llvm::Value *Block);

/// What does as \p Deallocation, a call of a known function, as a function of
/// the block alone. An alignment that only the run knows is left to free(),
/// by which the usual runtimes end such blocks.
llvm::Function *plainDeallocator(const llvm::CallBase &Deallocation);

} // namespace adze
#endif
