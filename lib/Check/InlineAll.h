// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function with all that it calls in it.
#ifndef ADZE_CHECK_INLINEALL_H
#define ADZE_CHECK_INLINEALL_H

#include "llvm/IR/PassManager.h"
#include <string>

namespace adze {

/// Inlines every call in \p F of a function with a body, and brings what is
/// left to registers as far as that is simple. No invoke is left. \p F must be
/// of our own making: optimization attributes of what it calls are disregarded.
/// Returns why that could not be done, or "".
std::string inlineAll(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

} // namespace adze
#endif
