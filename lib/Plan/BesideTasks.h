// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_LIB_PLAN_BESIDETASKS_H
#define ADZE_LIB_PLAN_BESIDETASKS_H

namespace llvm {
class CallBase;
class Instruction;
} // namespace llvm

namespace adze {

class Primal;

/// The wait up to which what is behind \p Task, a task call of \p P, runs
/// beside it: the first one on each way, once for each such call, and before
/// the next. Null if there is none, or if what runs up to there may depend on
/// the task's end all the same.
const llvm::Instruction *waitFor(const llvm::CallBase &Task, const Primal &P);

} // namespace adze
#endif
