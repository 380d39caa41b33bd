// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of constants: a global variable that holds active data is
// accompanied by a shadow global; constants that refer to it follow.
#ifndef ADZE_EMIT_SHADOWCONSTANTS_H
#define ADZE_EMIT_SHADOWCONSTANTS_H

namespace llvm {
class Constant;
class Module;
} // namespace llvm

namespace adze {

/// The shadow of \p C (one direction): shadow globals for globals, made on
/// first use; functions, integers and null stand for themselves.
llvm::Constant *shadowOfConstant(llvm::Constant *C, llvm::Module &M);

} // namespace adze
#endif
