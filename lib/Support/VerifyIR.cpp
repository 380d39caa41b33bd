// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/VerifyIR.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

Error adze::verifyIR(const Function &F) {
  std::string Wrong;
  raw_string_ostream OS(Wrong);
  return verifyFunction(F, &OS) ? createStringError(Wrong) : Error::success();
}
