// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_INTERNALCOPY_H
#define ADZE_INTERNALCOPY_H

namespace llvm {
class Function;
class Twine;
} // namespace llvm

namespace adze {

/// A copy of \p F, body and attributes, in its module, that no other module
/// sees and that goes if nobody uses it.
llvm::Function *internalCopy(llvm::Function &F, const llvm::Twine &Name);

} // namespace adze
#endif
