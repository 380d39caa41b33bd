// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the numbers of a function are at least and at most, in all iterations of
// its loops, in terms of what is known at the end of a block in front of them,
// its entry for one.
//
// An address that advances by Step in a loop of Count iterations lies between
// Start and Start + Count * Step, in each loop around it. This is computed in
// 128 bits, of numbers of 64, so that nothing overflows. What wraps around in
// the program's own width has an interval that leaves that width. Such
// intervals, and loops of 2^48 iterations and more, are excluded by conditions
// that the program has to test.
#ifndef ADZE_LIB_LOOPS_ENTRYBOUNDS_H
#define ADZE_LIB_LOOPS_ENTRYBOUNDS_H

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include <optional>

namespace adze {

class EntryBounds {
public:
  static constexpr unsigned Width = 128;
  /// Bits of the longest loop, and of the largest distance.
  static constexpr unsigned CountBits = 48, DistanceBits = 62;

  /// In 128 bits.
  struct Interval {
    const llvm::SCEV *Least, *Greatest;
  };
  /// \p S must not be less nor greater, or no interval is right.
  struct Condition {
    const llvm::SCEV *S;
    llvm::APInt Least, Greatest;
  };

  /// Known is what is computed when \p At has been executed.
  EntryBounds(const llvm::BasicBlock &At, llvm::ScalarEvolution &SE,
              const llvm::DominatorTree &DT)
      : At(At), SE(SE), DT(DT),
        Wide(llvm::IntegerType::get(At.getContext(), Width)) {}

  /// All values of \p S, an integer of at most 64 bits with sign; nothing if
  /// that is not known.
  std::optional<Interval> of(const llvm::SCEV *S, unsigned Depth = 0);
  /// \p S can be computed at the end of the block.
  bool isKnown(const llvm::SCEV *S) const;
  /// \p I fits into \p Bits bits: adds to conditions().
  void require(const Interval &I, unsigned Bits, bool Signed);
  llvm::ArrayRef<Condition> conditions() const { return Conditions; }
  /// Drops the conditions behind the first \p Count.
  void forget(size_t Count) { Conditions.truncate(Count); }

  const llvm::SCEV *sum(const llvm::SCEV *A, const llvm::SCEV *B) {
    return SE.getAddExpr(A, B);
  }
  const llvm::SCEV *constant(int64_t C) {
    return SE.getConstant(llvm::APInt(Width, uint64_t(C), /*isSigned=*/true));
  }

private:
  std::optional<Interval> count(const llvm::Loop &L, unsigned Depth);
  std::optional<Interval> ofAdvance(const llvm::SCEVAddRecExpr &A,
                                    unsigned Depth);
  std::optional<Interval> ofProduct(const llvm::SCEVMulExpr &M, unsigned Depth);
  std::optional<Interval> ofExtreme(const llvm::SCEVMinMaxExpr &M,
                                    unsigned Depth);
  llvm::SmallSetVector<const llvm::SCEV *, 16>
  waysOf(llvm::Value *V, llvm::SmallSetVector<const llvm::Value *, 16> &Web);
  std::optional<Interval> ofChoice(llvm::Value *V, unsigned Depth);
  std::optional<Interval> ofBits(const llvm::SCEV *S);
  Interval product(const Interval &A, const Interval &B);

  const llvm::BasicBlock &At;
  llvm::ScalarEvolution &SE;
  const llvm::DominatorTree &DT;
  llvm::Type *Wide;
  llvm::SmallVector<Condition, 8> Conditions;
};

} // namespace adze
#endif
