// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words of shadow memory that are the shadow of a pointer or the adjoint of a
// float, which nobody knows before the run: what such a word looks like tells
// (docs/Types.md). The program stops where it does not.
//
//   q = p (a word)    going forward:  dq = dp, if dp is an address
//                     reverse:        p' += q',  q' = 0, if q' is none
//
// All functions take integers of 64 bits, or vectors of them.
#ifndef ADZE_RULES_WORDS_H
#define ADZE_RULES_WORDS_H

#include "llvm/IR/IRBuilder.h"

namespace adze {

/// Of pointers, where shadows are moved in words.
constexpr uint64_t WordSize = 8;

/// i1: \p Word is an address, by what its bits look like.
llvm::Value *looksLikeAddress(llvm::IRBuilderBase &B, llvm::Value *Word);

/// i1: some \p Word has the exponent of a normal double; those of infinity and
/// NaN are also those of marks like -1.
llvm::Value *looksLikeFloat(llvm::IRBuilderBase &B, llvm::Value *Word);

/// The reason of the stop where a pointer turns out to be a float.
constexpr const char *FloatAsPointer =
    "an active float is passed on as a pointer, which has no derivative";

/// Whether \p Word, of a shadow, is an address; stops if that cannot be told.
/// \p Typed: what could be an address is one.
llvm::Value *isAddress(llvm::IRBuilderBase &B, llvm::Value *Word, bool Typed);

/// Going forward: what stands in shadow memory after \p From was moved to where
/// \p There stood.
llvm::Value *movedWord(llvm::IRBuilderBase &B, llvm::Value *From,
                       llvm::Value *There, bool Typed);

/// The adjoint in \p Word of shadow memory; 0 if it is an address. \p Left is
/// what stands there when it is taken.
llvm::Value *takenFromWord(llvm::IRBuilderBase &B, llvm::Value *Word,
                           bool Typed, llvm::Value *&Left);

/// \p Word of shadow memory, after \p Adjoint came to it. \p Doubles: what
/// could be a float is a double (Facts::DoublesAlone).
llvm::Value *addedToWord(llvm::IRBuilderBase &B, llvm::Value *Word,
                         llvm::Value *Adjoint, bool Typed, bool Doubles);

/// The same of memory to which other threads may add: void f(ptr place, i64
/// adjoint), to be called. Nothing is written where \p Adjoint is zero.
llvm::Function *sharedWordSum(llvm::Module &M, bool Typed, bool Doubles);
/// Of a byte that is a part of nobody knows what: void f(ptr place, i8
/// adjoint).
llvm::Function *sharedByteSum(llvm::Module &M);

/// The sum of two adjoints: of \p Doubles, or as bits (FloatBits.h).
llvm::Value *addWords(llvm::IRBuilderBase &B, llvm::Value *A, llvm::Value *C,
                      bool Doubles);

/// What is done with words of shadow memory and a value beside it. It goes by
/// memory, by functions that can be differentiated again (adze/WordMoves.h).
struct WordKind {
  bool Typed;   // what could be an address is one
  bool Doubles; // what could be a float is a double
};
/// Stands for \p Word behind \p Place, as movedWord() has it.
void moveWordTo(llvm::IRBuilderBase &B, llvm::Value *Place, llvm::Value *Word,
                WordKind Kind);
/// The adjoint behind \p Place, as takenFromWord() has it, which leaves what
/// it leaves there; of type \p Ty.
llvm::Value *takeWordFrom(llvm::IRBuilderBase &B, llvm::Value *Place,
                          llvm::Type *Ty, WordKind Kind);
/// Adds \p Adjoint to what is behind \p Place, as addedToWord() has it.
void addWordTo(llvm::IRBuilderBase &B, llvm::Value *Place, llvm::Value *Adjoint,
               WordKind Kind);
/// The sum of adjoints \p A and \p C, as addWords() has it.
llvm::Value *sumOfWords(llvm::IRBuilderBase &B, llvm::Value *A, llvm::Value *C,
                        bool Doubles);

/// \p V, words or pointers, as words; and back, as a \p Ty.
llvm::Value *asWords(llvm::IRBuilderBase &B, llvm::Value *V);
llvm::Value *fromWords(llvm::IRBuilderBase &B, llvm::Value *Words,
                       llvm::Type *Ty);

} // namespace adze
#endif
