// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that lie side by side in one block of memory:
//
//   double *a = work, *b = work + m * m;
//
// That they do not overlap is mostly proved by what the code says of their
// ends (AccessRanges). Where it is not, since m is a quotient, or m * m an
// integer that might wrap around, or since something is accessed on a
// condition, a test at run time can say it. Here it is decided which accesses
// make one vector, and whether a test is worth it. That is a guess, and a wrong
// one costs no more than a test that fails: rows of one matrix, which overlap
// in any case, should be one vector, and vectors that need no test none.
#ifndef ADZE_LIB_PREPARE_BLOCKVECTORS_H
#define ADZE_LIB_PREPARE_BLOCKVECTORS_H

#include "Loops/AccessRanges.h"
#include "Loops/EntryBounds.h"
#include "Loops/Polynomial.h"

#include "llvm/ADT/MapVector.h"

namespace adze {

class BlockVectors {
public:
  /// A load, a store, or one end of a block operation.
  struct Access {
    llvm::Instruction *I;
    llvm::Value *Pointer;
    const llvm::SCEV *Bytes;
    bool Writes;
    bool IsWanted; // a derivative is likely to need what it reads
    /// What is known of the address at the test, but for constants.
    const llvm::SCEV *Begin;
  };
  /// By number of the access, a number of its vector.
  using Numbers = llvm::SmallVector<unsigned, 16>;

  BlockVectors(llvm::BasicBlock &At, llvm::ScalarEvolution &SE,
               llvm::LoopInfo &LI, llvm::DominatorTree &DT)
      : SE(SE), LI(LI), Limits(At, SE, DT), Ranges(SE, LI, DT) {}

  /// Which vectors the accesses of one block should be compared as; none if
  /// that is not worth while.
  std::optional<Numbers> tellApart(llvm::ArrayRef<Access> All);

private:
  /// The first byte and the one behind the last one, from the block's base.
  struct Extent {
    Polynomial First, End;
  };

  std::optional<Extent> extentOf(const Access &A);
  Polynomial read(const llvm::SCEV *S);
  Polynomial extreme(const llvm::SCEVNAryExpr &S, bool Greatest);
  bool areKnownApart(llvm::Instruction &A, llvm::Instruction &B);
  bool keepsInMemory(const Access &Written, const Access &Other);
  bool needTest(llvm::ArrayRef<Access> All, llvm::ArrayRef<unsigned> Of);

  llvm::ScalarEvolution &SE;
  llvm::LoopInfo &LI;
  EntryBounds Limits;
  AccessRanges Ranges;
  llvm::MapVector<const llvm::SCEV *, Polynomial::Symbol> Symbols;
};

} // namespace adze
#endif
