// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of tasks (Tasks.h).
#ifndef ADZE_LIB_CLEANUP_LOWERTASKCALLS_H
#define ADZE_LIB_CLEANUP_LOWERTASKCALLS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace adze {

/// \p F waits for the reverse halves of tasks that it has begun before all that
/// may read or write what they accumulate into, or give back what they use.
void placeWaits(llvm::Function &F);

/// Spawns and waits become calls of the runtime. True if there were any.
bool lowerTaskCalls(llvm::Module &M);

/// Takes out of \p M what tells where tasks are waited for.
void forgetWaits(llvm::Module &M);

/// \p Name of Runtime/Teams.c, or Threads.c, with its body.
llvm::Function *teamFunction(llvm::Module &M, llvm::StringRef Name);

} // namespace adze
#endif
