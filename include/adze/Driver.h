// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass as a whole: every marker of a module becomes a call of its
// derivative.
#ifndef ADZE_DRIVER_H
#define ADZE_DRIVER_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
class raw_ostream;
} // namespace llvm

namespace adze {

enum class Stage {
  Frontend,
  Prepare,
  Types,
  Activity,
  ActivityOfValues, // the same stage, one of its questions printed
  ActivityOfPointers,
  ActivityOfInstructions,
  Memory,
  Plan,
  Emit,
  Cleanup
};

/// Differentiates every marker call of \p M. Errors go to the LLVMContext's
/// diagnostic handler. Returns whether \p M was changed; a module without
/// markers is left untouched.
bool differentiateModule(llvm::Module &M, llvm::ModuleAnalysisManager &AM);

/// Runs up to \p Last and prints that stage's result to \p OS: the parsed
/// requests, the canonical primals, types, activity, memory, plans, or the
/// emitted functions; the result of Cleanup is \p M itself, so nothing is
/// printed. Stages before Emit leave \p M without derivatives and without the
/// canonical clones. Of nested markers the inner ones are always finished.
/// False after an error.
bool runToStage(llvm::Module &M, llvm::ModuleAnalysisManager &AM, Stage Last,
                llvm::raw_ostream &OS);

} // namespace adze
#endif
