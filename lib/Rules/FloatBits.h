// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Duals of bytes that are parts of floats, or of floats nobody knows where: a
// copy byte by byte, a float that is taken apart by shifts and put together
// again. Such duals are moved as bits. A tangent always may be; an adjoint is a
// sum, and parts of floats have none:
//
//   a + c   =   a, if c is 0;   c, if a is 0;   else the program stops
//
// byte by byte. Of two floats that are not zero the bytes with the sign and the
// exponent are not zero (unless one is smaller than the smallest normal number
// times 2^15), so what cannot be added stops.
#ifndef ADZE_RULES_FLOATBITS_H
#define ADZE_RULES_FLOATBITS_H

#include "adze/Facts.h"
#include "llvm/IR/IRBuilder.h"

namespace adze {

/// a + c as above, of integers or vectors of integers of one type.
llvm::Value *addBits(llvm::IRBuilderBase &B, llvm::Value *A, llvm::Value *C);

/// Ends the program with \p Reason if \p Dual, an integer or a vector of
/// integers, is not zero.
void emitStopIfUsed(llvm::IRBuilderBase &B, llvm::Value *Dual,
                    llvm::StringRef Reason);

/// Some instruction takes a part of a float out of integer \p V: the adjoint
/// of \p V is put together of parts.
bool isTakenApart(const llvm::Value *V, const Facts &F);

/// Ends the program if \p Adjoint, that of \p Bits, of a float, is of parts
/// without the float's last byte, with sign and exponent: the others are
/// missing, and as a float it is no number of that size. (Where the function
/// takes that byte, too, they are not.)
void emitStopIfTail(llvm::IRBuilderBase &B, const llvm::Value *Bits,
                    llvm::Value *Adjoint, const Facts &F);

/// \p V has the bits of one float and is passed to functions, which may use
/// parts of it.
bool isPassedOn(const llvm::Value *V, const Facts &F);

/// Ends the program if \p A and \p C, contributions to the adjoint of such a
/// value, are not zero, and one of them is of a part without sign and exponent.
void emitStopIfTailMeets(llvm::IRBuilderBase &B, llvm::Value *A,
                         llvm::Value *C);

/// The layout of \p V's bits. An active value of which nothing is known but
/// numbers has the bits of floats nobody knows where: these are Unknown.
BlockLayout layoutOfBits(const llvm::Value *V, const Facts &F);

/// \p Layout with Unknown instead of Integer.
BlockLayout withoutNumbers(BlockLayout Layout);

/// A float of \p Layout has a part on either side of byte \p At.
bool straddles(const BlockLayout &Layout, uint64_t At);

} // namespace adze
#endif
