// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answer of the type analysis for one function in one calling context: what
// each value's bits, and the memory behind each pointer, hold.
// const once built; valid for the canonical primal it was built on, which
// never changes afterwards.
#ifndef ADZE_TYPEINFO_H
#define ADZE_TYPEINFO_H

#include "adze/Request.h"
#include "adze/TypeTree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Argument;
class Function;
class Instruction;
class Value;
class raw_ostream;
} // namespace llvm

namespace adze {

/// Bytes [Begin, End) hold scalars of type Type, densely packed.
struct TypedRange {
  uint64_t Begin, End;
  ConcreteType Type;
};

/// The layout of a block of memory: Ranges cover [0, Period) without overlap,
/// in order, and repeat with that period to the block's end (Period is at
/// least 1; a block that does not repeat has Period = its size, which is
/// UINT64_MAX where that is not known). Bytes not known have Type Unknown.
/// Anything: of a value, bytes of constants or undef; of memory, padding of a
/// declared object: nothing that could have a derivative.
struct BlockLayout {
  uint64_t Period = 1;
  llvm::SmallVector<TypedRange, 4> Ranges;
  bool has(ConcreteType::Kind K) const;
};

/// Two things seen of the same bytes that exclude each other. The witnesses
/// are the instructions (or arguments, globals) where each was seen; they may
/// lie in a callee, and are null where the calling context said so.
struct TypeConflict {
  const llvm::Value *Where; // the pointer or value that has both
  std::string Path;         // "[0][16]": offsets through pointers
  ConcreteType A, B;
  const llvm::Value *WitnessA, *WitnessB;
};

class TypeInfo {
public:
  virtual ~TypeInfo();

  /// The layout of \p V's own bits (store size of its type). Float-typed
  /// values are their own answer; for integers it tells an integer that
  /// carries float bits (i64 moved by SROA) from a number. Constant integers
  /// are Anything: they have no derivative however they are read; ask
  /// memoryLayout for what the memory they are stored to holds.
  virtual BlockLayout valueLayout(const llvm::Value *V) const = 0;

  /// The float scalar type that fills all bits of \p V (double for double,
  /// <2 x double>, and for an i64 that carries a double); null if none or
  /// mixed.
  virtual llvm::Type *floatTypeOf(const llvm::Value *V) const = 0;

  /// Whether \p V is, or may be, a pointer / number / float: the one type of
  /// all its bytes, bytes that are Anything aside; Unknown if they differ or
  /// some are not known.
  virtual ConcreteType scalarKind(const llvm::Value *V) const = 0;

  /// The layout of the memory that \p Ptr points to, from its address on, for
  /// \p Bytes bytes (UINT64_MAX when not known at compile time: the layout
  /// repeats, or what is not known is Unknown).
  virtual BlockLayout memoryLayout(const llvm::Value *Ptr,
                                   uint64_t Bytes) const = 0;

  /// All that is known of \p V: its own bytes at the outermost level.
  virtual TypeTree treeOf(const llvm::Value *V) const = 0;

  /// Floats of the caller that argument \p A points into: at [k] one that
  /// begins k bytes before the address, at [0] one that begins nobody knows
  /// where. Only those of which the function may overwrite a part.
  virtual TypeTree floatsAround(const llvm::Argument &A) const = 0;

  /// Everything that contradicts itself, in instruction order. Bytes in
  /// conflict are Unknown in all other answers.
  virtual llvm::SmallVector<TypeConflict, 2> conflicts() const = 0;
  /// The first conflict in \p V or in the memory behind it; false if none.
  virtual bool conflictOf(const llvm::Value *V, TypeConflict &Out) const = 0;

  /// The function moves bytes that it cannot tell: what its caller knows of
  /// the arguments could help.
  virtual bool asksForContext() const = 0;

  /// There were more facts, here or in the functions around, than are kept:
  /// what is not known may have been.
  virtual bool hasDroppedFacts() const = 0;

  /// What this function knows of the types of \p Call, for its callee.
  virtual CallerTypes typesOfCall(const llvm::Instruction &Call) const = 0;

  /// One line per argument and per instruction with a result that is no
  /// float, then the returned value and the conflicts.
  virtual void print(llvm::raw_ostream &OS) const = 0;
};

} // namespace adze
#endif
