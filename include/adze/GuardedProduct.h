// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product that is zero where a factor is zero, even if the other is infinite
// or NaN (0 * inf = 0). As code it is a choice,
//   d == 0 or NaN ? d : p * d
// but for an outer derivative it is a product: d may be zero here and not
// beside, and the derivative of the branch taken would lose d's factor.
#ifndef ADZE_GUARDEDPRODUCT_H
#define ADZE_GUARDEDPRODUCT_H

#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace adze {

enum class KeptZeros {
  OfSecond, // the first factor is never zero where that would matter
  OfBoth
};

/// \p First * \p Second (floats or vectors of them, of one type), zero where
/// the factors that \p Kept names are. A call of a function that only
/// writeGuardedProducts() knows: optimizers would turn the choice into one that
/// no outer derivative recognizes, as soon as they see that \p Second is no
/// NaN. The builder's flags must not say that there are none.
llvm::Value *guardedProduct(llvm::IRBuilderBase &B, llvm::Value *First,
                            llvm::Value *Second, KeptZeros Kept);

/// Whether \p I is a call that guardedProduct() made.
bool isGuardedProduct(const llvm::Instruction &I);

/// What \p V is the negative of, or \p V itself. \p Negative, if given, is
/// turned around for a negative.
llvm::Value *withoutSign(llvm::Value *V, bool *Negative = nullptr);

/// \p V as a choice that may have been written for a guarded product, up to
/// signs that LLVM has moved: \p Kept where that is 0 or NaN, else \p Product,
/// of which nothing is said. False if it is none. `x == 0 ? x : x * y` of a
/// program has another comparison, and the derivative of the branch that it
/// takes.
bool keepsZero(llvm::Value *V, llvm::Value *&Kept, llvm::Value *&Product);

/// Makes choices of the guarded products in \p M, of which no further
/// derivatives will be taken.
void writeGuardedProducts(llvm::Module &M);

} // namespace adze
#endif
