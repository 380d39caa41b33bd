// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of ProbeRuntime.c in a module.
#ifndef ADZE_CHECK_PROBERUNTIME_H
#define ADZE_CHECK_PROBERUNTIME_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace adze {

struct ProbeRuntime {
  llvm::Function *Begin = nullptr;   // ptr (probe, frame, pointers, in, given)
  llvm::Function *End = nullptr;     // void (state, computed)
  llvm::Function *At = nullptr;      // ptr (state, i32, ptr, i64, i32)
  llvm::Function *Stopped = nullptr; // void (state)
};

/// \p M gets them if it lacks them.
ProbeRuntime probeRuntime(llvm::Module &M);

} // namespace adze
#endif
