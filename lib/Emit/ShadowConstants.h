// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of constants: a global variable that holds active data is
// accompanied by a shadow global; constants that refer to it follow.
#ifndef ADZE_EMIT_SHADOWCONSTANTS_H
#define ADZE_EMIT_SHADOWCONSTANTS_H

#include "llvm/IR/IRBuilder.h"

namespace adze {

class Lanes;

/// The shadows of \p C in the directions \p L: shadow globals for globals, for
/// each direction another one, made on first use; functions, integers and null
/// stand for themselves.
llvm::Value *shadowsOfConstant(llvm::IRBuilder<> &B, llvm::Constant *C,
                               const Lanes &L);

} // namespace adze
#endif
