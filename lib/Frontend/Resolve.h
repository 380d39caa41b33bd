// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants behind what unoptimized code does with them: at -O0 a function's
// address or a tag goes through a variable before it reaches the marker.
#ifndef ADZE_LIB_FRONTEND_RESOLVE_H
#define ADZE_LIB_FRONTEND_RESOLVE_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace adze {

/// Follows casts, aliases, freezes, loads of variables that are stored to
/// exactly once (or never, and start with a known value), and calls of
/// functions that return one constant. The result is the last value that was
/// reached; its type may differ from that of \p V. Ends early at a value that
/// \p Stop accepts.
const llvm::Value *
lookThrough(const llvm::Value *V,
            llvm::function_ref<bool(const llvm::Value *)> Stop = nullptr);

/// The function whose address \p V is, or null.
llvm::Function *functionBehind(llvm::Value *V);

/// The function that the marker \p Call differentiates, or null.
llvm::Function *markedFunction(const llvm::CallBase &Call);

} // namespace adze
#endif
