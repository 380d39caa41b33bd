// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reverse pass runs the loops of the primal backwards. Where the order of
// the iterations means nothing, counting up is better: a vector loop that goes
// down turns every vector around after loading it and before storing it.
//
//   for (i = n; ; --i) {              for (i = 0; ; ++i) {
//     dx[i] += a * dy[i];      ->       dx[i] += a * dy[i];
//     da += x[i] * dy[i];               da += x[i] * dy[i];
//     if (i == 0) break;                if (i == n) break;
//   }                                 }
//
// The order means nothing if no memory that one iteration writes is accessed
// by another, and all that is carried from one to the next, or out of the last,
// are sums that may be reordered.
#ifndef ADZE_CLEANUP_LOOPORDER_H
#define ADZE_CLEANUP_LOOPORDER_H

#include "llvm/IR/PassManager.h"
#include <optional>

namespace llvm {
class BinaryOperator;
class ICmpInst;
class Instruction;
class Loop;
class LoopAccessInfoManager;
class PHINode;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace adze {

/// The loop is left behind the iteration in which `Value` is 0. Value is
///   `i`      where  i = phi [Last], [i - 1],  or
///   `i - 1`  where  i = phi [Last + 1], [i - 1].
struct CountDown {
  llvm::PHINode *Counter;
  llvm::Instruction *Value;
  llvm::BinaryOperator *Next;
  llvm::ICmpInst *IsZero;
};

std::optional<CountDown> findCountDown(const llvm::Loop &L);

/// The counter of \p L, if it counts down and may count up if no iteration
/// accesses memory that another one writes.
std::optional<CountDown> findFreeCountDown(const llvm::Loop &L,
                                           llvm::ScalarEvolution &SE);

/// The counter of \p L, if it counts down and CountUpPass makes it count up.
std::optional<CountDown> mayCountUp(llvm::Loop &L,
                                    llvm::LoopAccessInfoManager &Accesses,
                                    llvm::ScalarEvolution &SE);

/// What reads the counter of \p L, but for the loop's own test, reads one that
/// counts up if \p Up is true. What the loop hands on and stores does not ask
/// for an order.
void readOtherWay(const llvm::Loop &L, const CountDown &C, llvm::Value *Up);

/// Makes the innermost loops of a derivative count up where they may.
struct CountUpPass : llvm::PassInfoMixin<CountUpPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

} // namespace adze
#endif
