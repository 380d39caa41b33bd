// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps calls of a library's classes of text recognizable until the pass runs.
#ifndef ADZE_LIB_PLUGIN_KEEPCLASSES_H
#define ADZE_LIB_PLUGIN_KEEPCLASSES_H

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace adze {

/// Runs before all optimization. Members of std::string and of streams have no
/// derivative (the rows of lib/Known that own memory, or are templates): their
/// objects have no shadow, as long as nobody else changes them. Inlined, half
/// of a member would be code like any other, which changes the shadow of the
/// object, and half of it a call of the library, which does not. So in what
/// marked functions mention, such members are not inlined: bodies that the
/// library has as well (available_externally) are dropped, and those of
/// headers are called. The same is done with functions that derivatives treat
/// by their name (adze/HeaderBodies.h). A module without markers is not
/// touched.
class KeepClassesPass : public llvm::PassInfoMixin<KeepClassesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

/// The functions that markers name; where one names none directly, the
/// function that holds it; and those whose addresses the callers of that take,
/// which the marked function may be given.
llvm::SetVector<const llvm::Function *> markedFunctions(llvm::Module &M);

/// Before differentiation: the types of such functions may change again.
void releaseTypes(llvm::Module &M);

/// After it: what is left of the bodies may be inlined again. True if anything
/// changed.
bool releaseClasses(llvm::Module &M);

} // namespace adze

#endif
