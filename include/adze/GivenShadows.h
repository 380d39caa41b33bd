// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of variables that the program declares itself:
//
//   void *__adze_register_shadow_x[] = {&variable, &shadow};
//
// Such a variable is active like the memory of an argument with a shadow, in
// all functions: derivatives add to its shadow, and nobody makes that zero.
#ifndef ADZE_GIVENSHADOWS_H
#define ADZE_GIVENSHADOWS_H

#include <optional>
#include <string>

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace adze {

/// The shadow that the program gives of \p G; null if it gives none.
llvm::GlobalVariable *givenShadow(const llvm::GlobalVariable &G);

/// Why \p Shadow cannot be that of \p G; nothing if it can, and is now.
std::optional<std::string> giveShadow(llvm::GlobalVariable &G,
                                      llvm::GlobalVariable &Shadow);

} // namespace adze
#endif
