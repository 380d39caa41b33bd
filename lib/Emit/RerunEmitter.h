// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations of a loop that the reverse pass runs again.
#ifndef ADZE_EMIT_RERUNEMITTER_H
#define ADZE_EMIT_RERUNEMITTER_H

#include "Rematerialize.h"

namespace adze {

/// The reverse pass that is being emitted.
struct RerunContext {
  const Facts &F;
  const Plan &P;
  llvm::Function &Out;
  Rematerializer &Values;
  Tape &T;
};

/// Emits the code of \p Again, and what it keeps. It begins with \p First, an
/// empty block in an iteration of the loop's reverse, and goes on to \p Then.
void emitRerun(const Rerun &Again, llvm::BasicBlock &First,
               llvm::BasicBlock &Then, const RerunContext &C);

} // namespace adze
#endif
