// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a write may go to, and which floats it hits in part. A callee that gets
// an `int *` knows nothing of the double that its caller points it to; so its
// summary says what it writes through its arguments, and its context says what
// floats of the caller those writes would cut:
//
//   {[0]:Pointer -> {[8]:Float@double}, [12]:Float@double}
//
// The first fact is that of the argument, a pointer of 8 bytes. What stands
// behind these says that the argument points into a float that begins 4 (12 -
// 8) bytes before; at [8]: into one, nobody knows where.
#ifndef ADZE_LIB_ANALYSIS_TYPE_CUTPLACES_H
#define ADZE_LIB_ANALYSIS_TYPE_CUTPLACES_H

#include "adze/PartialFloatWrites.h"

namespace llvm {
class Argument;
class CallBase;
class Function;
class GEPOperator;
class Instruction;
} // namespace llvm

namespace adze {

/// An address is followed through this many instructions; floats that stand
/// further back are not seen (docs/Types.md).
inline constexpr unsigned MaxSteps = 1000;

/// Where a write may go to, seen from a pointer.
struct WritePlace {
  const llvm::Value *Base = nullptr;
  int64_t Start = 0;
  uint64_t Stride = 0;   // gcd of all; 0: one place
  uint64_t Elements = 0; // gcd of those above 1
  uint64_t Extent = 0;   // from the first to the last element; or Unbounded
  uint64_t Run = 0;      // the same of those that follow byte after byte
  bool Down = false;     // may also lie before Start

  void repeat(uint64_t By, uint64_t Count);
  void walk(const llvm::GEPOperator &GEP, const llvm::DataLayout &DL);
  /// Goes one address calculation, or one loop, back; false if Base is neither.
  bool step(const llvm::DataLayout &DL);
  /// This place, seen from the base of \p O, the address of this one's base.
  void behind(const WritePlace &O);
  bool operator==(const WritePlace &O) const;
};

/// A write through an argument, of something else than floats, or of floats
/// that are shorter than an address.
struct ArgumentWrite {
  enum Kind { Number, Address, ShortFloat };
  unsigned Arg = 0;
  WritePlace At; // Base: null
  uint64_t Size = 0;
  Kind Of = Number;
  bool operator==(const ArgumentWrite &O) const {
    return Arg == O.Arg && At == O.At && Size == O.Size && Of == O.Of;
  }
};
using ArgumentWrites = llvm::SmallVector<ArgumentWrite, 4>;

/// Adds what \p I itself writes.
void addWriteOf(const llvm::Instruction &I, ArgumentWrites &Out);
/// Adds what \p Call writes by the summary \p Callee.
void addWritesOf(const llvm::CallBase &Call, const ArgumentWrites &Callee,
                 ArgumentWrites &Out);

/// What is known of memory: of one function in one context.
class MemoryTrees {
public:
  virtual ~MemoryTrees();
  /// The tree of the memory behind \p Ptr.
  virtual TypeTree behind(const llvm::Value *Ptr) const = 0;
  /// The floats that argument \p A points into, see above, the first fact left
  /// out.
  virtual TypeTree around(const llvm::Argument &A) const = 0;
};

/// Of the answer of the analysis.
class AnsweredTrees final : public MemoryTrees {
public:
  explicit AnsweredTrees(const TypeInfo &Types) : Types(Types) {}
  TypeTree behind(const llvm::Value *Ptr) const override {
    return Types.treeOf(Ptr).pointeeAt(0);
  }
  TypeTree around(const llvm::Argument &A) const override {
    return Types.floatsAround(A);
  }

private:
  const TypeInfo &Types;
};

/// The floats of \p Memory, without those that are declared only where
/// something else was seen.
llvm::SmallVector<TypeFact, 8> floatsOf(const TypeTree &Memory);

llvm::SmallVector<FloatCut, 2> floatsCutAt(const MemoryTrees &Trees,
                                           const llvm::DataLayout &DL,
                                           WritePlace P, uint64_t Size);

/// What the callee of \p Call must be told of the floats that its \p Writes
/// through argument \p Arg may cut, or cover by an address, and that it does
/// not know by \p Itself: the tree of that argument.
TypeTree cutFloatsOf(const MemoryTrees &Trees, const llvm::CallBase &Call,
                     unsigned Arg, const ArgumentWrites &Writes,
                     const TypeTree &Itself);

} // namespace adze
#endif
