// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one symbol that a host program (clang, opt, lld) looks for in Adze.so.
#include "Plugin/Pipeline.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

extern "C" LLVM_ATTRIBUTE_WEAK
    __attribute__((visibility("default"))) ::llvm::PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Adze", ADZE_VERSION,
          [](llvm::PassBuilder &PB) {
            adze::registerPipeline(PB);
            adze::registerPrinterPasses(PB);
          }};
}
