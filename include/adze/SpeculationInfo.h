// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Did the program itself execute this operation on the path taken, or may an
// optimizer have moved it there?
//
//   r = c ? a * sqrt(b) : 0   becomes   t = a * sqrt(b);  r = select c, t, 0
//
// What the program promises of its values (that they are finite) holds of t
// only where c does. Where t is stored, returned, compared for a branch, or
// given to a call, the program executed it, for optimizers do not move those
// past a condition.
#ifndef ADZE_SPECULATIONINFO_H
#define ADZE_SPECULATIONINFO_H

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace adze {

/// The instructions of one function that the program itself executes. Time and
/// memory: linear in the function's size.
class SpeculationInfo {
public:
  explicit SpeculationInfo(const llvm::Function &F);

  /// False if some use of \p I that is executed whenever \p I is shows that the
  /// program executed \p I.
  bool mayBeSpeculated(const llvm::Instruction &I) const {
    return !Executed.count(&I);
  }

private:
  llvm::DenseSet<const llvm::Instruction *> Executed;
};

} // namespace adze
#endif
