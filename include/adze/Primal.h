// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The primal in canonical form: a private clone of the user's function on
// which every later stage works and which never changes again. Made once per
// user function by Prepare, checked by verifyCanonical.
//
// Canonical form:
//  * every branch reaches; unreachable blocks removed; at most one return
//    block (blocks that end in unreachable may stand beside it);
//  * loops in simplified form (preheader, one latch, dedicated exits), LCSSA,
//    no irreducible control flow; every loop has one i64 counter phi in its
//    header (0, +1 in the latch, nuw nsw);
//  * control flow ends are br, switch (each successor once), ret, unreachable;
//    no invoke, indirectbr, callbr;
//  * each merge block has an integer that tells by which edge it was entered
//    (EnteredFrom), each loop exit block an i64 that tells the counter of the
//    iteration left (ExitCounter): ordinary IR values that the plan may keep
//    or recompute like any other;
//  * promoted allocas (mem2reg/SROA ran), no optnone, no constant expressions
//    that hide loads or casts of active data, realloc lowered to malloc+copy,
//    static allocas stand in the entry block.
#ifndef ADZE_PRIMAL_H
#define ADZE_PRIMAL_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include <memory>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Module;
class PHINode;
class Value;
class raw_ostream;
} // namespace llvm

namespace adze {

struct LoopRecord {
  llvm::Loop *L = nullptr;
  LoopRecord *Parent = nullptr;
  llvm::PHINode *Counter = nullptr; // i64, 0, 1, ... in the header
  /// The counter's value in the loop's last iteration (trip count - 1), an
  /// i64 that dominates the preheader's terminator; null when it is not known
  /// on entry. Outermost possible place: it is hoisted as far as its operands
  /// allow.
  llvm::Value *LastIteration = nullptr;
  /// The single exit edge, if there is only one (else null, null).
  llvm::BasicBlock *ExitingBlock = nullptr;
  llvm::BasicBlock *ExitBlock = nullptr;
};

class Primal {
public:
  llvm::Function *Source = nullptr; // the user's function
  llvm::Function *F = nullptr;      // the canonical clone (internal, unused)
  llvm::BasicBlock *ReturnBlock = nullptr; // null: never returns

  std::unique_ptr<llvm::DominatorTree> DT;
  std::unique_ptr<llvm::LoopInfo> LI;
  /// Outer loops before inner ones, in block order.
  std::vector<std::unique_ptr<LoopRecord>> Loops;
  llvm::DenseMap<const llvm::Loop *, LoopRecord *> LoopOf;

  /// Merge blocks that are no loop headers: the integer (iN) that names the
  /// edge of entry; equal to the index in EnteredFrom[B].Preds.
  struct Entry {
    llvm::Value *Index = nullptr;
    llvm::SmallVector<llvm::BasicBlock *, 4> Preds;
  };
  llvm::MapVector<llvm::BasicBlock *, Entry> EnteredFrom;
  /// Loop exit blocks: the counter of the iteration in which the loop was
  /// left, by this exit (LCSSA phi, or the loop's LastIteration).
  llvm::MapVector<llvm::BasicBlock *, llvm::Value *> ExitCounter;

  const LoopRecord *loopOf(const llvm::BasicBlock *B) const {
    return LoopOf.lookup(LI->getLoopFor(B));
  }
  void print(llvm::raw_ostream &OS) const;
};

} // namespace adze
#endif
