// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// digamma = (ln Gamma)', which no C library has: its body is written into the
// module that needs it, as ordinary IR, so that it can be differentiated again.
#ifndef ADZE_KNOWN_DIGAMMAFUNCTION_H
#define ADZE_KNOWN_DIGAMMAFUNCTION_H

namespace llvm {
class Function;
class Module;
class Type;
} // namespace llvm

namespace adze {

/// The digamma function on \p Ty (float, double, x86_fp80, fp128); created in
/// \p M on first use, internal. Null for other types.
llvm::Function *digammaFunction(llvm::Module &M, llvm::Type *Ty);

} // namespace adze
#endif
