// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of kernels, and other calls of CUDA's and HIP's interface, in code
// of the host. Their derivatives are functions of <adze/gpu.hpp>, which
// registers them (docs/GpuLaunches.md); by <<<>>> a kernel's stub is called,
// which clang writes, and which has a derivative if ADZE_KERNEL names the
// kernel.
#ifndef ADZE_LAUNCHES_H
#define ADZE_LAUNCHES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class CallBase;
class Function;
class Module;
} // namespace llvm

namespace adze::launches {

/// Stubs of kernels without derivative are not inlined, so that calls of them
/// are seen as what they are.
bool keepStubs(llvm::Module &M);

/// The kernel that \p F is the stub of, as the program calls it; empty if \p F
/// is none.
std::string kernelOf(const llvm::Function &F);

struct DeviceCall {
  const llvm::CallBase *Call = nullptr; // null if there is none
  const llvm::Function *Callee = nullptr;
};
/// The first call in \p F, and in what it calls, of which nobody knows what
/// becomes of memory of a device, if other calls use that.
DeviceCall unknownCallIn(const llvm::Function &F);

/// Calls in \p F, or in what it calls, have derivatives that read again what
/// memory of the device held.
bool usesDevice(const llvm::Function &F);

/// "CUDA" or "HIP", by the name of \p F; else empty.
llvm::StringRef interfaceOf(const llvm::Function &F);

} // namespace adze::launches
#endif
