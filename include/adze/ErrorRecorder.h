// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the errors of a trial, of which the user is not to hear.
#ifndef ADZE_ERRORRECORDER_H
#define ADZE_ERRORRECORDER_H

#include "llvm/IR/DiagnosticHandler.h"

#include <string>
#include <vector>

namespace adze {

/// Appends the text of each error to a vector, which outlives it; warnings and
/// remarks are dropped. Installed with LLVMContext::setDiagnosticHandler.
class ErrorRecorder : public llvm::DiagnosticHandler {
public:
  explicit ErrorRecorder(std::vector<std::string> &Errors) : Errors(Errors) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &Info) override;

private:
  std::vector<std::string> &Errors;
};

} // namespace adze
#endif
