// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_VERIFYIR_H
#define ADZE_VERIFYIR_H

#include "llvm/Support/Error.h"

namespace llvm {
class Function;
} // namespace llvm

namespace adze {

/// What LLVM's verifier has against \p F.
llvm::Error verifyIR(const llvm::Function &F);

} // namespace adze
#endif
