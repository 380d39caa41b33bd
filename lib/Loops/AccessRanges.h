// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two instructions access different parts of one block:
//
//   double *x = work, *r = work + n;
//   for (i = 0; i < n; i++) { x[i] += a * p[i]; r[i] -= a * q[i]; }
//
// Alias analysis compares single addresses; here it is from the first to the
// last one that each of the two accesses while its loop runs.
#ifndef ADZE_LIB_LOOPS_ACCESSRANGES_H
#define ADZE_LIB_LOOPS_ACCESSRANGES_H

#include "Loops/EntryGuards.h"
#include "Loops/LoopAccess.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace adze {

/// The least address that something is accessed at, and the greatest one.
struct AddressEnds {
  const llvm::SCEV *First, *Last;
};

class AccessRanges {
public:
  AccessRanges(llvm::ScalarEvolution &SE, const llvm::LoopInfo &LI,
               const llvm::DominatorTree &DT)
      : SE(SE), LI(LI), DT(DT), Guarded(SE) {}

  /// The questions count anew.
  void refill() { Questions = 0; }
  /// Code has changed: what was answered may no longer be so.
  void forget() {
    Ends.clear();
    Answers.clear();
    Guarded.forget();
  }

  /// Where \p A goes while \p Outer, or nothing but \p A, runs once. Both are
  /// accessed, and so are not known of accesses that are not executed in each
  /// iteration.
  std::optional<AddressEnds> endsIn(const llvm::Loop *Outer,
                                    const LoopAccess &A);
  /// The same for the program to compare: expressions say which of both is the
  /// least where the sign of a step is not known. Nothing is accessed at all
  /// where a condition that does not vary in \p Outer says so.
  std::optional<AddressEnds> testedEndsIn(const llvm::Loop &Outer,
                                          const LoopAccess &A) {
    return findEnds(&Outer, A, /*IsTested=*/true);
  }
  /// No byte that \p A accesses while \p InA runs once is one that \p B
  /// accesses while \p InB does. Either loop may be null: then the instruction
  /// is executed once. If the loops are two, both run in one iteration of the
  /// loop around them.
  bool areDisjoint(llvm::Instruction &A, const llvm::Loop *InA,
                   llvm::Instruction &B, const llvm::Loop *InB);
  bool areDisjoint(const LoopAccess &A, const llvm::Loop *InA,
                   const LoopAccess &B, const llvm::Loop *InB);

private:
  /// What is asked of an access: many are asked for by many others, whose
  /// addresses are the same.
  using Place = std::tuple<const llvm::SCEV *, const llvm::BasicBlock *,
                           const llvm::Loop *>;
  static Place placeOf(const LoopAccess &A, const llvm::Loop *Outer) {
    return {A.Address, A.I->getParent(), Outer};
  }

  std::optional<bool> rises(const llvm::SCEV *Step, const llvm::Loop &L);
  const llvm::SCEV *endIn(const llvm::Loop &L, const llvm::SCEV *Address,
                          const llvm::SCEV *Count, bool Least);
  std::optional<AddressEnds> findEnds(const llvm::Loop *Outer,
                                      const LoopAccess &A, bool IsTested);
  bool compare(const LoopAccess &A, const llvm::Loop *InA, const LoopAccess &B,
               const llvm::Loop *InB);
  bool staysBehind(const llvm::SCEV *Apart, uint64_t Size,
                   const llvm::Instruction &A, const llvm::Instruction &B);

  llvm::ScalarEvolution &SE;
  const llvm::LoopInfo &LI;
  const llvm::DominatorTree &DT;
  GuardedExpressions Guarded;
  unsigned Questions = 0;
  llvm::DenseMap<Place, std::optional<AddressEnds>> Ends;
  using Pair = std::tuple<Place, uint64_t, Place, uint64_t>; // with sizes
  llvm::DenseMap<Pair, bool> Answers;
};

} // namespace adze
#endif
