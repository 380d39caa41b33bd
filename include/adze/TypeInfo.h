// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answer of the type analysis for one function in one calling context: what
// each value's bits, and the memory behind each pointer, hold.
// const once built; valid for the canonical primal it was built on, which
// never changes afterwards.
#ifndef ADZE_TYPEINFO_H
#define ADZE_TYPEINFO_H

#include "adze/TypeTree.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
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
/// least 1; a block of known size that does not repeat has Period = size).
/// Bytes not known (or padding) have Type Unknown.
struct BlockLayout {
  uint64_t Period = 1;
  llvm::SmallVector<TypedRange, 4> Ranges;
  bool has(ConcreteType::Kind K) const;
};

class TypeInfoImpl;

class TypeInfo {
public:
  virtual ~TypeInfo();

  /// The layout of \p V's own bits (store size of its type). Float-typed
  /// values are their own answer; for integers it tells an integer that
  /// carries float bits (i64 moved by SROA) from a number.
  virtual BlockLayout valueLayout(const llvm::Value *V) const = 0;

  /// The float scalar type that fills all bits of \p V (double for double,
  /// <2 x double>, and for an i64 that carries a double); null if none or
  /// mixed.
  virtual llvm::Type *floatTypeOf(const llvm::Value *V) const = 0;

  /// Whether \p V is, or may be, a pointer / number / float.
  virtual ConcreteType scalarKind(const llvm::Value *V) const = 0;

  /// The layout of the memory that \p Ptr points to, from its address on, for
  /// \p Bytes bytes (UINT64_MAX when not known at compile time: the layout
  /// repeats, or what is not known is Unknown).
  virtual BlockLayout memoryLayout(const llvm::Value *Ptr,
                                   uint64_t Bytes) const = 0;

  /// Types known of argument \p I / of the returned value, for callers.
  virtual void print(llvm::raw_ostream &OS) const = 0;
};

} // namespace adze
#endif
