// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which parameters are one argument of the source. Of a complex number in two
// registers the call says nothing: f(z, dz) has the operands of f(x, dx, y,
// dy). The function does, as long as it is not optimized: clang puts the pieces
// of one argument together in one variable.
#ifndef ADZE_LIB_FRONTEND_SPLITPARAMETERS_H
#define ADZE_LIB_FRONTEND_SPLITPARAMETERS_H

namespace llvm {
class Function;
class Type;
} // namespace llvm

namespace adze {

/// Notes it in attributes of \p F, which must be as the front end made it. True
/// if it changed something.
bool noteSplitParameters(llvm::Function &F);

/// What is noted of \p From holds for \p To, whose parameters have the same
/// attributes.
void copySplitNote(const llvm::Function &From, llvm::Function &To);

/// It has been noted.
bool splitIsKnown(const llvm::Function &F);
/// The parameter and the next one are pieces of one argument, where that is
/// known.
bool isFirstPiece(const llvm::Function &F, unsigned Param);

/// The parameter is noted to be an integer with floats: for who sees no more
/// than the integer, it has no derivative.
bool hidesFloats(const llvm::Function &F, unsigned Param);
/// Some integer of \p F's parameters or result is noted to hold floats.
bool hidesFloats(const llvm::Function &F);
/// The type of a parameter, or of what is returned in registers, with the
/// floats that are noted: a packed structure where there are any.
llvm::Type *shownParameter(const llvm::Function &F, unsigned Param);
llvm::Type *shownResult(const llvm::Function &F);

} // namespace adze
#endif
