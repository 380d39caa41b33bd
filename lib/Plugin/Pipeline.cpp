// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plugin/Pipeline.h"

#include "llvm/Passes/PassBuilder.h"

void adze::registerPipeline(llvm::PassBuilder &PB) {}
