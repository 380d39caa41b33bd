// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How Cleanup knows the products that EmitContext::product guards:
//
//   d == 0 or NaN ? d : p * d
//
// after LLVM has moved signs about and multiplied p with something else.
#ifndef ADZE_CLEANUP_GUARDEDPRODUCT_H
#define ADZE_CLEANUP_GUARDEDPRODUCT_H

#include "llvm/IR/Value.h"

namespace adze {

/// The product if \p V is a guarded one, a select, else null. The select's
/// condition is a comparison of d, up to its sign, with 0. Where d is 0 or NaN
/// the product is 0 or NaN, NaN if d is, and \p V is d up to its sign.
llvm::Value *productUnderGuard(llvm::Value *V);

} // namespace adze
#endif
