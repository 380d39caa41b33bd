// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/ErrorRecorder.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

bool adze::ErrorRecorder::handleDiagnostics(const DiagnosticInfo &Info) {
  if (Info.getSeverity() == DS_Error) {
    std::string Text;
    raw_string_ostream OS(Text);
    DiagnosticPrinterRawOStream Printer(OS);
    Info.print(Printer);
    Errors.push_back(OS.str());
  }
  return true;
}
