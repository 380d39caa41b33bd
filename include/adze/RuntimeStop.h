// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one way in which a derivative refuses at run time: what could not be
// known while compiling turned out to be what has no derivative here.
#ifndef ADZE_RUNTIMESTOP_H
#define ADZE_RUNTIMESTOP_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallInst;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace adze {

/// Emits a call that writes "adze: Reason" and a new line to the standard error
/// output and ends the program. It does not return: the caller puts an
/// `unreachable` behind it where its block ends there.
llvm::CallInst *emitRuntimeStop(llvm::IRBuilderBase &B, llvm::StringRef Reason);

/// Emits a call that does so if the i1 \p Condition is true, for emitters of
/// single instructions, which do not branch: the function called, adze.stop.if,
/// is to be inlined.
void emitRuntimeStopIf(llvm::IRBuilderBase &B, llvm::Value *Condition,
                       llvm::StringRef Reason);

} // namespace adze
#endif
