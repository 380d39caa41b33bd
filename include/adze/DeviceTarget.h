// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules that are compiled for a GPU: all their code is run by many threads at
// the same time.
#ifndef ADZE_DEVICETARGET_H
#define ADZE_DEVICETARGET_H

namespace llvm {
class AtomicRMWInst;
class Instruction;
class Module;
class Triple;
} // namespace llvm

namespace adze {

/// NVPTX and AMDGPU.
bool isDevice(const llvm::Triple &Target);
bool isDevice(const llvm::Module &M);

/// Threads wait for each other at \p I, or exchange values: barriers, shuffles,
/// votes.
bool isMeetingOnDevice(const llvm::Instruction &I);

/// \p Sum is what CUDA and HIP call atomicAdd, of floats, without asking what
/// stood there. It orders nothing, whatever clang says of it: these functions
/// are relaxed (CUDA C++ Programming Guide, Atomic Functions).
bool isRelaxedSum(const llvm::AtomicRMWInst &Sum);

} // namespace adze
#endif
