// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A float as the nearest one of a narrower format, in the type that it has.
#ifndef ADZE_LIB_PRECISION_ROUNDING_H
#define ADZE_LIB_PRECISION_ROUNDING_H

#include "Precision/FloatFormat.h"
#include "llvm/IR/IRBuilder.h"

namespace adze {

/// \p V, floats of the format's wide type or a vector of them, each rounded to
/// nearest, ties to even; too large ones to infinity, small ones to what
/// gradual underflow leaves. Its derivative is one.
llvm::Value *roundTo(const FloatFormat &Format, llvm::Value *V,
                     llvm::IRBuilderBase &B);
/// \p V has been rounded so.
bool isRoundedTo(const FloatFormat &Format, const llvm::Value *V);

} // namespace adze
#endif
