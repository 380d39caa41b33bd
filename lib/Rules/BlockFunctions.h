// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Internal functions that walk blocks of shadow memory by their layout; the
// rules of block copies and fills call them, and the inliner takes them in.
#ifndef ADZE_RULES_BLOCKFUNCTIONS_H
#define ADZE_RULES_BLOCKFUNCTIONS_H

#include "adze/TypeInfo.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace adze {

// What is Unknown in a layout may be floats, but no pointers, except for the
// words.
enum class BlockOp {
  AddAndClear, // floats: source += destination; destination = 0, in an order
               // that is right for overlapping blocks; what is Unknown, byte by
               // byte (FloatBits.h)
  AddApart,    // AddAndClear of blocks that do not overlap, unless they are
               // one: any order is right, so that vectors can be added
  Clear,       // floats of the destination = 0 (the source is ignored)
  CopyPointers, // pointers and integers: destination = source
  // What is Unknown may be floats, or pointers, in words on the grid of
  // pointers. A word that looks like an address is one, or a double smaller
  // than 1.4e-309. The program stops where this does not tell (a float of
  // four bytes before a zero, an address below 2^32).
  MoveWords,  // going forward: the shadows of pointers move with the primal,
              // and so does what CopyPointers copies, in the same order, for
              // blocks may overlap
  PlainWords, // the source is the primal's memory, without shadow: pointers
              // lead to what has none, and floats are constant
  AddShared,  // AddAndClear for floats of one kind, of a source to which other
              // threads may add
  AddWords,   // AddAndClear for such blocks: pointers stay. Words that are
              // pointers by their types may be floats after all
  AddSharedWords // the same of a source to which other threads may add
};

/// A block of that layout can be a source of AddShared, or, if it may hold
/// pointers \p InWords, of AddSharedWords.
bool canAddAtomically(const BlockLayout &Layout, bool InWords);

/// Whether \p R begins on the grid of words, and whether a layout that repeats
/// keeps to it. What does not is moved byte by byte.
bool isInWords(const TypedRange &R);
bool keepsToWords(const BlockLayout &Layout);

/// void f(ptr destination, ptr source, i64 bytes) for blocks laid out as
/// \p Layout; made once per module, operation and layout. \p Doubles, of
/// MoveWords and AddWords: what could be a float is a double, so what could be
/// an address is one (Facts::DoublesAlone).
llvm::Function *blockFunction(llvm::Module &M, BlockOp Op,
                              const BlockLayout &Layout, bool Doubles = false);

/// void f(ptr shadow, ptr, i64 bytes): ends the program with a message if bytes
/// that are Unknown in \p Layout are not zero: they are the shadow of a
/// pointer.
llvm::Function *pointerTest(llvm::Module &M, const BlockLayout &Layout);

/// void f(ptr shadow, ptr, i64 bytes) for a block of \p Float: ends the program
/// with a message if the block ends within a float whose adjoint is not zero.
llvm::Function *endFunction(llvm::Module &M, llvm::Type *Float);

} // namespace adze
#endif
