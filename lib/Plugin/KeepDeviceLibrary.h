// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps calls of a GPU's library recognizable until the pass runs.
#ifndef ADZE_LIB_PLUGIN_KEEPDEVICELIBRARY_H
#define ADZE_LIB_PLUGIN_KEEPDEVICELIBRARY_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
} // namespace llvm

namespace adze {

/// Runs before all optimization. Clang links the functions of libdevice and
/// ocml that a program calls into its module, to be inlined. Their slow paths
/// are assembly and arithmetic on bits; derivatives go by their rows, and call
/// other functions of the library. So in what marked functions lead to, calls
/// of functions with a row are not inlined, and what derivatives may call is
/// linked, too. A module without markers, or for another target, is not
/// touched.
class KeepDeviceLibraryPass
    : public llvm::PassInfoMixin<KeepDeviceLibraryPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

/// Follows it: what the library keeps to itself (tables, slow paths) was linked
/// twice, by clang and by us, and becomes one again.
class ShareDeviceLibraryPass
    : public llvm::PassInfoMixin<ShareDeviceLibraryPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

/// Before differentiation: those functions are no longer used but by calls.
void releaseDeviceLibrary(llvm::Module &M);

/// After it: calls of the library are inlined, as they would have been, in the
/// program's functions and in derivatives. An error is reported if derivatives
/// call functions of the library that are not there. True if anything changed.
bool inlineDeviceLibrary(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

} // namespace adze

#endif
