// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the walk of a store through an array ever comes back to what an
// earlier access touched:
//
//   for (i = 1; i < n; i++) u[i] = f(u[i - 1]);           no: u[i - 1] stays
//   for (i < n) for (j <= i) a[i * n + j] = ...           no: nothing twice
//   for (t < T) for (i < n) u[i] = f(u[i]);               in the next t
//
// Alias analysis compares all iterations with all. Here their order counts. A
// later execution of the store is in a later iteration of one of the loops
// around both accesses, and in the same iterations of the loops around that
// one; or in the same iterations of all of them. For each of these cases the
// difference of the two addresses is a polynomial in the counters of the loops,
// those of the two executions apart, and in numbers that do not vary. It has to
// be at least the size of the one access, or its negative that of the other. Or
// it is a multiple of some size, that of a row, and a rest between these two.
//
// Rows that stand behind pointers in a table, and of which the run has found
// that they do not overlap (RowScopes.h), are those of a matrix with rows of
// some size: an address is the place of the pointer, times that size, and a
// column.
//
// What is known of a counter: it is not negative, nor larger than the count of
// its loop, which may depend on the counters around it, and conditions may say
// more. So count - counter, a new unknown that is not negative, takes the place
// of something in the count.
// That is the dependence test by elimination (Feautrier, Int. J. Parallel
// Programming 20, 1991), but sizes may be factors here; so it is incomplete.
//
// Addresses are taken for integers without bounds, and so is what is divided in
// them, i * (i + 1) / 2. To come back by wrapping around, a walk has to leave
// every object on the way. And the walks are those
// of one thread: where several run one function at a time, the order of what
// they do is another question.
#ifndef ADZE_LIB_LOOPS_ACCESSORDER_H
#define ADZE_LIB_LOOPS_ACCESSORDER_H

#include "Loops/LoopAccess.h"
#include "Loops/Reachability.h"
#include "Loops/RowScopes.h"
#include "adze/Primal.h"
#include "llvm/ADT/DenseMap.h"
#include <tuple>

namespace adze {

class AccessOrder {
public:
  AccessOrder(const Primal &P, llvm::ScalarEvolution &SE, Reachability &Reach)
      : P(P), SE(SE), Reach(Reach), Rows(P) {}

  /// The questions count anew.
  void refill() { Questions = 0; }

  /// No execution of \p Writer after one of \p Access, in one run of the
  /// function, touches what that one has touched. Both are loads or stores, or
  /// the answer is no; they may be one instruction. Or in one run of \p Within,
  /// which both are in.
  bool neverAfter(const llvm::Instruction *Access,
                  const llvm::Instruction *Writer,
                  const llvm::Loop *Within = nullptr);
  /// The same of an access that would be executed where its instruction is.
  bool neverAfter(const LoopAccess &Access, const llvm::Instruction *Writer,
                  const llvm::Loop *Within = nullptr);

private:
  struct Walk;
  class Case;

  /// Where an access stands, and where it goes.
  using Place =
      std::tuple<const llvm::BasicBlock *, const llvm::SCEV *, uint64_t>;

  std::optional<Walk> walkOf(const LoopAccess &A);
  bool findRow(const llvm::Instruction &I, Walk &W) const;
  void addConditions(const llvm::Instruction &I, Walk &W);
  size_t firstWhole(const llvm::Instruction &I,
                    llvm::ArrayRef<const llvm::Loop *> Around);
  bool comesToItsEnd(const llvm::Loop &L);

  const Primal &P;
  llvm::ScalarEvolution &SE;
  Reachability &Reach;
  RowScopes Rows;
  unsigned Questions = 0;
  llvm::DenseMap<const llvm::Loop *, bool> Ends;
  /// What is asked in one loop after the other: whether the second access stays
  /// apart from the first, in a later iteration of the loop of that depth.
  llvm::DenseMap<std::tuple<Place, Place, unsigned>, bool> Known;
};

} // namespace adze
#endif
