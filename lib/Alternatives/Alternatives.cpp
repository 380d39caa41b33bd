// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Alternatives/Alternatives.h"
#include "Loops/LoopMemory.h"

namespace adze {

/// Questions to alias analysis about one function.
static constexpr unsigned MaxQuestions = 700000;

void offerAlternatives(Primal &P) {
  if (P.Loops.empty())
    return;
  LoopMemory M(P, MaxQuestions);
  offerStoredValues(P, M);
  offerSnapshots(P, M);
}

} // namespace adze
