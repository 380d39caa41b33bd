// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product that is zero where a factor is zero, even if the other is infinite
// or NaN (0 * inf = 0). As code it is a choice, at the end,
//   d == 0 or NaN ? d : p * d
// but for an outer derivative it is a product: d may be zero here and not
// beside, and the derivative of the branch taken would lose d's factor.
#ifndef ADZE_GUARDEDPRODUCT_H
#define ADZE_GUARDEDPRODUCT_H

#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace adze {

enum class KeptZeros {
  OfSecond, // the first factor is never zero where that would matter
  OfBoth
};

/// \p First * \p Second (floats or vectors of them, of one type), zero where
/// the factors that \p Kept names are. A call of a function that only
/// lowerProducts() knows (Cleanup.h): optimizers would turn the choice into one
/// that no outer derivative recognizes, as soon as they see that \p Second is
/// no NaN. The builder's flags must not say that there are none.
llvm::Value *guardedProduct(llvm::IRBuilderBase &B, llvm::Value *First,
                            llvm::Value *Second, KeptZeros Kept);

/// What calls of \p F keep if guardedProduct() declared it.
std::optional<KeptZeros> keptZeros(const llvm::Function &F);

/// Whether \p I is a call that guardedProduct() made.
bool isGuardedProduct(const llvm::Instruction &I);

} // namespace adze
#endif
