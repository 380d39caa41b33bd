// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step of a loop with adze_checkpoint that says what it does to memory: what
// it writes where that may be no part of the state, and what it allocates and
// gives back (Runtime/Checkpoints.c). It runs in place of the step when the
// loop runs first.
//
//   for (i = 0; i < n; i++)             write(u, 8 n, states)
//     u[i] = f(u[i]);                   for (i = 0; i < n; i++) u[i] = f(u[i]);
//
// What is accessed in each iteration of loops of known counts is said in front
// of them, all of it.
#ifndef ADZE_LIB_EMIT_TRACKEDSTEPS_H
#define ADZE_LIB_EMIT_TRACKEDSTEPS_H

namespace llvm {
class Function;
} // namespace llvm

namespace adze {

struct StepPlan;

/// A copy of \p Step with the address of the states as last argument.
llvm::Function *trackedStep(llvm::Function &Step, const StepPlan &Plan);

/// The same of a function of which all that it writes is put back
/// (Runtime/RepeatedCalls.h).
llvm::Function *trackedFunction(llvm::Function &F);

} // namespace adze
#endif
