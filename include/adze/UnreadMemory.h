// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of derivatives that nobody reads.
//
// A derivative repeats the primal, also where only the adjoints of its results
// are wanted. What a function computes for itself is seen to be dead by the
// compiler; what it hands to its caller in memory is not, if the caller cannot
// inline it: a parallel region, or a half of a callee with a tape,
//
//   adze.aug.region(.., sum, ..):   sum = 0
//     part = ..                     adze.aug.region(.., sum, ..)
//     sum += part                   (nobody reads sum)
//
// So this looks at all functions that Adze made together. Pointers that may
// lead to one object are put in one class (Steensgaard, POPL 1996), and a class
// is read if an instruction that anything depends on reads from it.
#ifndef ADZE_UNREADMEMORY_H
#define ADZE_UNREADMEMORY_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
} // namespace llvm

namespace adze {

/// Removes from the functions that Adze made in \p M all writes of memory that
/// only they know and nobody reads, and what was computed for them alone; and
/// turns of threads (Teams.h) in which nothing is left to do. To be called
/// before team calls are lowered. True if there was one.
bool dropUnreadMemory(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace adze
#endif
