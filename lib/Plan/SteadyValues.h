// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a thread does alike in all iterations of a loop, and of the loops around
// it.
#ifndef ADZE_PLAN_STEADYVALUES_H
#define ADZE_PLAN_STEADYVALUES_H

#include "Loops/LoopMemory.h"
#include "llvm/Analysis/PostDominators.h"

namespace adze {

class SteadyValues {
public:
  SteadyValues(const Primal &P, const llvm::Loop &L, LoopMemory &M)
      : P(P), L(L), M(M), PDT(*P.F) {}

  /// In each iteration \p Store writes to the same places, or in none.
  bool writesAlike(const llvm::StoreInst &Store);

private:
  bool isSteady(const llvm::Value &V, unsigned Depth = 0);
  bool isSteady(const llvm::SCEV *S, unsigned Depth);
  bool decidesOn(const llvm::BasicBlock &Branch, const llvm::BasicBlock &B);
  bool isReachedAlike(const llvm::BasicBlock &B);

  const Primal &P;
  const llvm::Loop &L;
  LoopMemory &M;
  llvm::PostDominatorTree PDT;
};

} // namespace adze
#endif
