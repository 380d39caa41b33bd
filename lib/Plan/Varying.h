// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers one question: with which of the loops around it does a value vary?
//
//   for (i < n) for (j < m) s += w[i] * a[j];      a[j] varies with j alone
//
// A kept value needs a place on the tape for each iteration of those loops
// only: the others write the same to the same place once more.
//
// A counter varies with its loop, and what is computed from its operands alone
// with what they vary with. A load varies besides with each loop in which its
// memory may change (MemoryInfo::invariantIn). About the rest, phis that carry
// values around a loop or out of it and results of calls, nothing is known.
#ifndef ADZE_PLAN_VARYING_H
#define ADZE_PLAN_VARYING_H

#include "adze/Plan.h"

namespace adze {

class Varying {
public:
  explicit Varying(const Facts &F) : F(F) {}

  using Loops = llvm::SmallVector<const LoopRecord *, 3>; // outer to inner

  /// All loops around \p V if nothing better is known.
  Loops loopsOf(PlanValue V);

  /// A loop around a value, and whether the value varies with it.
  struct Around {
    const LoopRecord *L;
    bool Varies;
  };
  using AllAround = llvm::SmallVector<Around, 3>; // outer to inner

  /// From the outermost, in \p Outside if that is a loop, inwards to the last
  /// one that \p V varies with.
  AllAround loopsAround(PlanValue V, const LoopRecord *Outside = nullptr);

  /// The index in \p Nest where the innermost segment begins: loops whose
  /// counts are known before the outermost of them is entered, so that one
  /// block serves them. Loops that the value does not vary with are taken in
  /// for nothing: the block is allocated before them. The loops around the
  /// segment then all count as loops that it varies with: each of their
  /// iterations allocates a block.
  unsigned lastSegment(AllAround &Nest) const;

  /// The loops each of whose iterations has a place of its own on the tape, if
  /// \p V is kept: those that it varies with, and those that cannot be left
  /// out.
  Loops loopsKept(PlanValue V);

private:
  /// Bit D: the loop at depth D + 1 around the value. Loops deeper than 64
  /// are not told apart from the innermost that is.
  using Depths = uint64_t;

  Depths of(const llvm::Value *V);
  bool operandsOf(const llvm::Instruction &I,
                  llvm::SmallVectorImpl<const llvm::Value *> &Ops) const;
  Depths ownDepths(const llvm::Instruction &I) const;
  Depths allAround(const llvm::Instruction &I) const;
  /// Whether the count of \p Inner is known before \p Outer, which holds it or
  /// is it, is entered.
  bool knownBefore(const LoopRecord &Inner, const LoopRecord &Outer) const;

  const Facts &F;
  llvm::DenseMap<const llvm::Value *, Depths> Known;
};

} // namespace adze
#endif
