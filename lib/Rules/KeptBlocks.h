// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadow blocks that may be kept from one derivative to the next, because a
// global variable leads to them (Runtime/KeptBlocks.c).
#ifndef ADZE_RULES_KEPTBLOCKS_H
#define ADZE_RULES_KEPTBLOCKS_H

#include "adze/RuleContext.h"

namespace adze {

/// Lists \p Block of \p Bytes, one direction of the shadow of the block that
/// \p Allocation makes (or puts where its first argument points), if a global
/// variable of the module may keep it.
void listShadowBlock(EmitContext &C, llvm::Value *Block, llvm::Value *Bytes,
                     const llvm::CallBase &Allocation);

/// \p Block, a shadow block or null, is going to end.
void unlistShadowBlock(EmitContext &C, llvm::Value *Block);

} // namespace adze
#endif
