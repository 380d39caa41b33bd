// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which blocks are executed whenever others are, and on which conditions.
#ifndef ADZE_LIB_LOOPS_EXECUTION_H
#define ADZE_LIB_LOOPS_EXECUTION_H

#include "adze/Primal.h"

namespace adze {

/// Conditions, and what they are where something is executed. Inner ones come
/// first: they mean something only if the outer ones are met.
using Guards = llvm::SmallVector<std::pair<llvm::Value *, bool>, 2>;

class Execution {
public:
  explicit Execution(const Primal &P) : P(P) {}

  /// Whether the loop of \p R is left after a known number of iterations only,
  /// and \p B is executed in each of them, or, where what is added to \p Added
  /// is not so, in none.
  bool isInEachIteration(const LoopRecord &R, const llvm::BasicBlock *B,
                         Guards &Added) const;
  /// Each path from the end of \p From comes to \p To, in the same iteration of
  /// \p C (null: the function).
  bool isAlwaysReached(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
                       const llvm::Loop *C) const;
  /// The end of \p B is executed in each iteration of \p C in which that of
  /// \p S is, unless the conditions that are added to \p If are not met.
  bool isExecutedWith(const llvm::BasicBlock *S, const llvm::BasicBlock *B,
                      const llvm::Loop *C, Guards &If) const;

private:
  bool isAlwaysLeftTo(const llvm::Loop &L, const llvm::BasicBlock *B) const;

  const Primal &P;
};

} // namespace adze
#endif
