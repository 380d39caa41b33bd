// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly of NVPTX in LLVM's own words.
#ifndef ADZE_PREPARE_PTXASSEMBLY_H
#define ADZE_PREPARE_PTXASSEMBLY_H

namespace llvm {
class CallInst;
class InlineAsm;
class Value;
} // namespace llvm

namespace adze {

/// What \p Call of \p Asm returns, as instructions in front of it; null if an
/// instruction of the assembly is not known. Code that was written until then
/// is dead.
llvm::Value *lowerPtx(llvm::CallInst &Call, const llvm::InlineAsm &Asm);

/// The atomic sum that \p Call of \p Asm is; null if it is another thing.
llvm::Value *lowerPtxAtomic(llvm::CallInst &Call, const llvm::InlineAsm &Asm);

} // namespace adze
#endif
