// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::min and its like, before all optimization.
#ifndef ADZE_LIB_PLUGIN_INLINECHOICES_H
#define ADZE_LIB_PLUGIN_INLINECHOICES_H

namespace llvm {
class Function;
} // namespace llvm

namespace adze {

/// Inlines the calls in \p F of short functions that return one of the integers
/// that are given by reference, `std::min(b + 24, n)`, so that the variables
/// they refer to are ordinary ones (see WidenVariables.h). True if \p F is
/// changed.
bool inlineChoices(llvm::Function &F);

} // namespace adze

#endif
