// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which instructions give the same when they are executed once more.
#ifndef ADZE_PLAN_RECOMPUTE_H
#define ADZE_PLAN_RECOMPUTE_H

#include "adze/Plan.h"

namespace adze {

/// Whether the value of \p I depends on its operands only, and nothing else
/// comes of computing it.
bool isPure(const llvm::Instruction &I, const Primal &P);

/// A load of memory that is the same when the reverse pass runs.
bool isLoadThatSurvives(const llvm::Instruction &I, const Facts &F);

/// The alternative that \p I is the same as, if \p I is no load that survives
/// and the alternative is at hand: a copy that is not given is not.
const llvm::Value *equivalentValue(const llvm::Instruction &I, const Facts &F);

/// How \p Load reads shared memory once more that iterations of \p Filled, run
/// again, have filled.
Decision readAgain(const llvm::LoadInst &Load, const LoopRecord &Filled,
                   const Facts &F);

} // namespace adze
#endif
