// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two instructions access different parts of one block:
//
//   double *x = work, *r = work + n;
//   for (i = 0; i < n; i++) { x[i] += a * p[i]; r[i] -= a * q[i]; }
//
// Alias analysis compares single addresses; here it is from the first to the
// last one that each of the two accesses while its loop runs.
#ifndef ADZE_LIB_PREPARE_ACCESSRANGES_H
#define ADZE_LIB_PREPARE_ACCESSRANGES_H

#include "Prepare/LoopMemory.h"
#include "adze/Primal.h"
#include <optional>

namespace adze {

class AccessRanges {
public:
  AccessRanges(Primal &P, LoopMemory &M) : P(P), DL(M.DL), SE(M.SE) {}

  /// No byte that \p A accesses while \p InA runs once is one that \p B
  /// accesses while \p InB does. Either loop may be null: then the instruction
  /// is executed once. If the loops are two, both run in one iteration of the
  /// loop around them.
  bool areDisjoint(llvm::Instruction &A, const llvm::Loop *InA,
                   llvm::Instruction &B, const llvm::Loop *InB);

private:
  /// The least address and the greatest one.
  struct Ends {
    const llvm::SCEV *First, *Last;
  };
  std::optional<Ends> endsIn(const llvm::Loop *Outer, llvm::Instruction &I);
  const llvm::SCEV *endOf(const llvm::SCEV *Address, const llvm::Loop &L,
                          const llvm::SCEV *Count, bool Least);

  Primal &P;
  const llvm::DataLayout &DL;
  llvm::ScalarEvolution &SE;
  unsigned Questions = 0;
};

} // namespace adze
#endif
