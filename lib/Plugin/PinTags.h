// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps tags recognizable until the pass runs.
#ifndef ADZE_LIB_PLUGIN_PINTAGS_H
#define ADZE_LIB_PLUGIN_PINTAGS_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Runs before all optimization. A tag that a marker call is given by value,
/// `static int enzyme_dup; ... __enzyme_autodiff(f, enzyme_dup, x, dx)`, is a
/// load of a variable that nobody writes: the optimizer makes it the constant
/// 0, and the tag is gone. Such an operand is replaced by the variable itself.
/// Functions that the program declares inactive, or like others, are hidden too
/// (Annotations.h), calls of one marker in several branches stay apart, and
/// which parameters are one argument is noted (SplitParameters.h). A
/// module without markers is not touched, unless it goes into a full LTO link.
class PinTagsPass : public llvm::PassInfoMixin<PinTagsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace adze

#endif
