// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns what a front end annotated into metadata that the analyses read.
#ifndef ADZE_LIB_PLUGIN_IMPORTANNOTATIONS_H
#define ADZE_LIB_PLUGIN_IMPORTANNOTATIONS_H

#include "llvm/IR/PassManager.h"

namespace adze {

/// Replaces the annotations of ClangAdze (AnnotationText.h) and, in a module
/// with markers, the user's `annotate("enzyme_inactive")` by the metadata of
/// docs/ClangAdze.md. Other annotations stay. A module without markers gets no
/// metadata and keeps no trace of ClangAdze. True if anything changed.
bool importAnnotations(llvm::Module &M);

/// Runs importAnnotations before all optimization.
class ImportAnnotationsPass
    : public llvm::PassInfoMixin<ImportAnnotationsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &) {
    return importAnnotations(M) ? llvm::PreservedAnalyses::none()
                                : llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace adze

#endif
