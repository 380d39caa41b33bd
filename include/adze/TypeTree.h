// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the bytes of a value, and of the memory behind it, hold.
//
// A TypeTree is a set of facts. A fact says that the bytes at one place, or at
// every place of an arithmetic progression of places, hold a scalar of one
// ConcreteType; a fact that says Pointer carries the tree of the memory behind
// that pointer. So a path of byte offsets through any number of pointers (up
// to MaxDepth) leads to a ConcreteType. Two facts that exclude each other can
// stand side by side: they are a conflict, and both name their witness.
//
// Trees form a join semilattice. The empty set (Unknown) is bottom, the join
// is the union, kept minimal: a fact that another one implies is dropped. The
// order of two facts of the same type is: the places of one contain those of
// the other, its certainty is at least as high, and its pointee at least as
// well known. Anything (zero bytes, undef: every reading is right) is implied
// by every fact on its bytes. See docs/Types.md.
#ifndef ADZE_TYPETREE_H
#define ADZE_TYPETREE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class LLVMContext;
class Type;
class Value;
class raw_ostream;
} // namespace llvm

namespace adze {

/// The type of one scalar in memory or in a register.
///
///   Unknown    nothing known: bottom
///   Anything   every reading is right (zero bytes, undef, constants)
///   Integer    a number, a character, a flag: no derivative
///   Pointer
///   Float      bits of one IEEE-like scalar of type floatType()
class ConcreteType {
public:
  enum Kind { Unknown, Anything, Integer, Pointer, Float };
  ConcreteType() = default;
  ConcreteType(Kind K) : K(K) {}
  /// A float kind: the scalar IR type (double, float, x86_fp80, ...).
  static ConcreteType floating(llvm::Type *Scalar);

  Kind kind() const { return K; }
  bool isFloat() const { return K == Float; }
  bool isPointer() const { return K == Pointer; }
  bool isInteger() const { return K == Integer; }
  bool isKnown() const { return K != Unknown; }
  llvm::Type *floatType() const { return FloatTy; }
  bool operator==(const ConcreteType &O) const {
    return K == O.K && FloatTy == O.FloatTy;
  }
  bool operator!=(const ConcreteType &O) const { return !(*this == O); }
  /// A total order that is the same in every run.
  bool operator<(const ConcreteType &O) const;
  /// "Float@double", "Integer", ...
  std::string str() const;

private:
  Kind K = Unknown;
  llvm::Type *FloatTy = nullptr;
};

/// How a fact came to be known. Where facts exclude each other the surest one
/// is believed; only facts of the same certainty are in conflict.
enum class Certainty : uint8_t {
  Hint,     // declared types of allocas, globals and GEPs; plain arithmetic
  Indirect, // seen through a merge of pointers, or extrapolated over an array
  Definite  // seen at this very place
};

/// Where a fact holds: Size bytes from Start on; and, if Count is above 1,
/// again every Stride bytes, Count times in all.
struct TypePlace {
  static constexpr uint64_t Unbounded = UINT64_MAX;
  uint64_t Start = 0;
  uint64_t Size = 0;
  uint64_t Stride = 0; // 0 if and only if Count is 1
  uint64_t Count = 1;

  bool isSingle() const { return Count == 1; }
  bool isUnbounded() const { return Count == Unbounded; }
  /// The first byte behind the last element; Unbounded if there is none.
  uint64_t end() const;
  /// Every element of \p P lies within one element of this place. \p Exact:
  /// elements must coincide (floats and pointers have no parts).
  bool contains(const TypePlace &P, bool Exact) const;
  bool operator==(const TypePlace &O) const {
    return Start == O.Start && Size == O.Size && Stride == O.Stride &&
           Count == O.Count;
  }
};

/// One array dimension of an address: every multiple of Stride below
/// Stride * Count.
struct Dimension {
  uint64_t Stride = 0;
  uint64_t Count = TypePlace::Unbounded;
};

struct TypeFact;

class TypeTree {
public:
  /// Pointers that a path may go through. What lies deeper is Unknown.
  static constexpr unsigned MaxDepth = 6;
  /// Facts that start at or behind this offset are not kept.
  static constexpr uint64_t MaxOffset = 1u << 20;

  /// Each progression is compared with all other facts whenever something is
  /// joined. Where a function makes hundreds, by calling itself with pointers
  /// that advance in many ways, they say little.
  static constexpr unsigned MaxProgressions = 96;

  TypeTree() = default; // Unknown

  /// The tree of one fact. \p Pointee only for Pointer; what exceeds MaxDepth
  /// is cut off. Unknown if \p T is Unknown.
  static TypeTree of(TypePlace Place, ConcreteType T,
                     Certainty C = Certainty::Definite,
                     const llvm::Value *Witness = nullptr,
                     const TypeTree &Pointee = TypeTree());
  /// The same with one element at \p Start.
  static TypeTree at(uint64_t Start, uint64_t Size, ConcreteType T,
                     Certainty C = Certainty::Definite,
                     const llvm::Value *Witness = nullptr,
                     const TypeTree &Pointee = TypeTree());

  bool isUnknown() const { return !Facts; }
  llvm::ArrayRef<TypeFact> facts() const;
  /// Pointers on the longest path.
  unsigned depth() const;
  /// Facts at all depths together, shared subtrees counted at each place.
  uint64_t weight() const;
  /// The highest certainty at any depth; Hint if nothing is known.
  Certainty surest() const;

  /// Adds what \p O knows; true if that was something new.
  bool join(const TypeTree &O);
  /// What is true of a value that is either described by \p A or by \p B:
  /// facts that both know, where Anything agrees with everything.
  static TypeTree meet(const TypeTree &A, const TypeTree &B);
  /// Equal facts; witnesses do not count.
  bool operator==(const TypeTree &O) const;
  bool operator!=(const TypeTree &O) const { return !(*this == O); }
  /// Every fact is implied by one of \p O.
  bool isImpliedBy(const TypeTree &O) const;

  /// The tree with every offset moved by \p Delta. What falls before 0 is
  /// lost; a progression that loses its first element is extrapolated.
  TypeTree shifted(int64_t Delta) const;
  /// Bytes [Begin, Begin + Size), moved to 0. Scalars cut by an end are lost.
  TypeTree slice(uint64_t Begin, uint64_t Size) const;
  /// Without what touches bytes [Begin, End).
  TypeTree without(uint64_t Begin, uint64_t End) const;
  /// The part of the tree that a copy of unknown length, but of at least
  /// \p MinBytes, moves: progressions, and what lies within \p MinBytes.
  TypeTree prefix(uint64_t MinBytes) const;
  /// This tree describes memory at base + (any element of \p Dims): what is
  /// known of the memory at base.
  TypeTree repeated(llvm::ArrayRef<Dimension> Dims) const;
  /// This tree describes memory at base: what is known at base + (any element
  /// of \p Dims), whichever it is.
  TypeTree invariant(llvm::ArrayRef<Dimension> Dims) const;
  /// The tree modulo \p Period, for a pointer that advances by it in a loop:
  /// all facts become progressions that start below the period.
  TypeTree folded(uint64_t Period) const;
  /// The folded tree of those facts only that hold from the first period on.
  TypeTree everywhere(uint64_t Period) const;
  /// A folded tree seen from \p Delta bytes further on.
  TypeTree rotated(int64_t Delta) const;
  /// No fact surer than \p C.
  TypeTree demoted(Certainty C) const;
  /// Without facts of kind \p K, or only those, at the outermost level.
  TypeTree dropping(ConcreteType::Kind K) const;
  TypeTree only(ConcreteType::Kind K) const;
  /// Without facts that \p O implies, were they no surer than \p C.
  TypeTree minus(const TypeTree &O, Certainty C = Certainty::Definite) const;
  /// Rows of eight and more like scalars at equal distances, at any depth, are
  /// taken for the beginning of a progression without end (extrapolated, so
  /// Indirect at most). No lattice operation: to stop endless growth.
  TypeTree widened() const;
  /// For readers: without facts that only make elements of a progression, or
  /// parts of a larger place, surer than it says itself.
  TypeTree outline() const;
  /// A part of the tree of at most \p Weight facts, of at most a quarter of
  /// that with facts behind more than two pointers: first the deepest pointees
  /// go, then the facts at the highest offsets; and of at most MaxProgressions
  /// progressions at the outermost level, those that begin first.
  TypeTree limited(uint64_t Weight) const;

  /// What is known behind the pointer at byte \p Offset.
  TypeTree pointeeAt(uint64_t Offset) const;
  /// A pointer of \p Size bytes at byte 0 that points to this memory.
  TypeTree behindPointer(uint64_t Size, const llvm::Value *Witness) const;

  /// Pairs of facts, both Definite, that exclude each other, at any depth.
  /// \p Path are the offsets of the pointers that lead there.
  struct Conflict {
    llvm::SmallVector<uint64_t, 4> Path;
    const TypeFact *A, *B;
  };
  void findConflicts(llvm::SmallVectorImpl<Conflict> &Out) const;

  /// Example: {[0]:Pointer -> {[*8]:Float@double}}; see docs/Types.md.
  std::string str() const;
  void print(llvm::raw_ostream &OS) const;
  /// Reads what print wrote. False if \p Text is no tree.
  static bool parse(llvm::StringRef Text, llvm::LLVMContext &Context,
                    TypeTree &Out);

private:
  struct Node; // immutable, shared between trees
  explicit TypeTree(std::vector<TypeFact> List);
  /// Without what lies behind more than so many pointers.
  TypeTree cut(unsigned MaxPointers) const;
  std::shared_ptr<const Node> Facts; // sorted, never empty
  friend class TypeTreeBuilder;
};

struct TypeFact {
  TypePlace Place;
  ConcreteType Type;
  Certainty Sure = Certainty::Definite;
  const llvm::Value *Witness = nullptr; // first place it was seen; may be null
  TypeTree Pointee;                     // of Pointer

  /// The same place and type.
  bool sameKey(const TypeFact &O) const {
    return Place == O.Place && Type == O.Type;
  }
};

} // namespace adze
#endif
