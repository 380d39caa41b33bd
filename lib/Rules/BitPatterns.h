// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What integer instructions do to the bits of floats, as far as it is known
// before the run.
#ifndef ADZE_RULES_BITPATTERNS_H
#define ADZE_RULES_BITPATTERNS_H

#include "adze/Facts.h"
#include "llvm/ADT/APInt.h"
#include <optional>

namespace adze {

/// The constant bit pattern of operand 1 of \p I as one scalar, if any.
const llvm::APInt *constantOf(const llvm::Instruction &I);

/// The float that \p I holds by its layout, or else its operand 0; or null.
llvm::Type *floatOf(const llvm::Instruction &I, const Facts &F);

/// (a & m) and (b & ~m). LLVM's own query also wants m not to be undef; a
/// program that selects by an undefined mask has no derivative to lose.
bool areOppositeMasks(const llvm::Value *A, const llvm::Value *B);

/// The operand that is an inactive mask of whole elements; 2 if none is.
unsigned maskOperandOf(const llvm::Instruction &I, const Facts &F);

/// The sign bits of all floats in an element of \p I; none if it carries
/// none.
std::optional<llvm::APInt> signBitsOf(const llvm::Instruction &I,
                                      const Facts &F);

/// The operand that is inactive and has no other bits than signs; 2 if none.
unsigned signOperandOf(const llvm::Instruction &I, const Facts &F);

/// The operand that is inactive and a number of the run time, where the other
/// is a whole number of floats; 2 if there is none.
unsigned variableOperandOf(const llvm::Instruction &I, const Facts &F);

/// Of `or (x & ~sign), (y & sign)` the operand that is the magnitude; 2 if
/// \p I is no such thing.
unsigned magnitudeOf(const llvm::Instruction &I, const Facts &F);

/// Clears the end of the mantissa of each float, less than three quarters of
/// it.
bool isRounding(const llvm::APInt &Mask, const llvm::Type *Float);

/// The end of an active float's mantissa gets an exponent that is not its
/// own, none, or that of another float; or its mantissa gets a number between
/// what is kept. (A tangent may be taken apart, but must be put together
/// again.)
bool tearsFloat(const llvm::Instruction &I, const Facts &F);

/// Keeps or clears whole bytes.
bool isByteMask(const llvm::APInt &Mask);

} // namespace adze
#endif
