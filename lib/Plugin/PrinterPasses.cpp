// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plugin/Pipeline.h"

void adze::registerPrinterPasses(llvm::PassBuilder &PB) {}
