// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_LIB_FRONTEND_CALLERS_H
#define ADZE_LIB_FRONTEND_CALLERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace adze {

/// A function of ours that calls \p F. It returns what \p F stores to memory
/// behind sret as a value, for in split mode the two halves have no memory for
/// a result in common, and shows the floats in integer registers.
///
/// A function without a body may be a known one (sin): the derivative of a
/// function that calls it is the same, and what is not known is reported as
/// any other call of it would be.
llvm::Function *callerOf(llvm::Function &F, bool MemoryAsValue);

} // namespace adze
#endif
