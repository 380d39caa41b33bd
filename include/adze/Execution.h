// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is executed whenever something else is, on which conditions, and whether
// the program itself executes it or an optimizer has moved it there:
//
//   r = c ? a * sqrt(b) : 0   becomes   t = a * sqrt(b);  r = select c, t, 0
//
// What the program promises of its values (that they are finite) holds of t
// only where c does. Where t is stored, returned, compared for a branch, or
// given to a call, the program executed it, for optimizers do not move those
// past a condition.
#ifndef ADZE_EXECUTION_H
#define ADZE_EXECUTION_H

#include "adze/Primal.h"
#include "llvm/ADT/DenseSet.h"

namespace adze {

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
  /// Whenever the function is called, \p At is executed, unless the conditions
  /// that are added to \p If are not met. (Not all is known.)
  bool isExecutedWhenCalled(const llvm::Instruction &At, Guards &If) const;
  /// False if some use of \p I that is executed whenever \p I is shows that the
  /// program executed \p I. The first question of all takes time and memory
  /// linear in the function's size.
  bool mayBeSpeculated(const llvm::Instruction &I) const;

private:
  bool isAlwaysLeftTo(const llvm::Loop &L, const llvm::BasicBlock *B) const;

  void findExecuted() const;

  const Primal &P;
  mutable llvm::DenseSet<const llvm::Instruction *> Executed; // by the program
};

} // namespace adze
#endif
