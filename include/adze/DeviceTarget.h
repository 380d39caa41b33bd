// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules that are compiled for a GPU: all their code is run by many threads at
// the same time.
#ifndef ADZE_DEVICETARGET_H
#define ADZE_DEVICETARGET_H

namespace llvm {
class CallBase;
class Function;
class GlobalVariable;
class IRBuilderBase;
class Module;
class Triple;
class Value;
} // namespace llvm

namespace adze {

/// NVPTX and AMDGPU.
bool isDevice(const llvm::Triple &Target);
bool isDevice(const llvm::Module &M);

/// How many threads a warp (a wave) of such a target has, at most.
unsigned lanesOf(const llvm::Module &M);

/// A kernel, which the host launches: its arguments lead to no memory of a
/// thread.
bool isKernel(const llvm::Function &F);

/// i1: \p Pointer, of any memory, leads to that of the thread.
llvm::Value *isMemoryOfThread(llvm::IRBuilderBase &B, llvm::Value *Pointer);
/// \p Call asks so.
bool asksForMemoryOfThread(const llvm::CallBase &Call);

/// The variable of a block, or of a work group: __shared__.
bool isSharedVariable(const llvm::GlobalVariable &G);

/// Such a variable of NVPTX whose size the launch gives: extern __shared__. The
/// first half of the block's dynamic memory is the program's, the second one
/// that of shadows (docs/Gpu.md).
bool isDynamicShared(const llvm::GlobalVariable &G);

/// __constant__: code of the device does not write there.
bool isDeviceConstant(const llvm::GlobalVariable &G);

} // namespace adze
#endif
