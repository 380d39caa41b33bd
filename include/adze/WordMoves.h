// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of derivatives that move words or bytes of shadow memory, of which
// the run shows what each of them is (Rules/BlockFunctions.h):
//
//   void f(ptr to, ptr from, i64 bytes)
//
// What they do is linear, and tells by a word itself what happens to it. So the
// tangent of such a move, in a derivative that is differentiated again, is the
// same move of the tangents:
//
//   f(to, from, bytes)    forward:    f(to, from, bytes); f(dto, dfrom, bytes)
//
// Analyses look at the body, as at any other.
#ifndef ADZE_WORDMOVES_H
#define ADZE_WORDMOVES_H

namespace llvm {
class Function;
} // namespace llvm

namespace adze {

/// What becomes of memory behind `from`.
enum class WordMove {
  Adds,  // floats behind `to` are added to it, and become zero
  Copies // it stays, and so its addresses may be those of the primal
};

/// \p F, a function of ours, is such a move.
void setWordMove(llvm::Function &F, WordMove Kind);
bool isWordMove(const llvm::Function &F);
WordMove kindOfWordMove(const llvm::Function &F);

} // namespace adze
#endif
