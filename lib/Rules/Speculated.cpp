// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Speculated.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

// Past these an operation counts as speculated: a guard more is emitted.
static constexpr unsigned MaxUsers = 64;
static constexpr unsigned MaxBlocks = 8;

/// The blocks that are executed whenever \p From is: it, and those that it
/// leads to without condition.
static SmallVector<const BasicBlock *, MaxBlocks>
executedWith(const BasicBlock *From) {
  SmallVector<const BasicBlock *, MaxBlocks> Blocks{From};
  while (Blocks.size() < MaxBlocks) {
    const BasicBlock *Next = Blocks.back()->getSingleSuccessor();
    if (!Next || is_contained(Blocks, Next))
      break;
    Blocks.push_back(Next);
  }
  return Blocks;
}

/// Vectorizers make these of what a condition guards, as they make selects.
static bool isMasked(const CallBase &Call) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_compressstore:
    return true;
  default:
    return false;
  }
}

/// A use that no optimizer moves past a condition.
static bool staysInPlace(const Instruction &User) {
  if (auto *Call = dyn_cast<CallBase>(&User))
    return !isMasked(*Call) && User.mayHaveSideEffects();
  return isa<StoreInst, ReturnInst, BranchInst, SwitchInst>(User);
}

/// Each way that leaves the last of \p Blocks merges \p V.
static bool mergedOnAllWays(const Value &V, const BasicBlock &Last) {
  return all_of(successors(&Last), [&](const BasicBlock *To) {
    return any_of(To->phis(), [&](const PHINode &Phi) {
      return Phi.getIncomingValueForBlock(&Last) == &V;
    });
  });
}

bool mayBeSpeculated(const Instruction &I) {
  SmallVector<const BasicBlock *, MaxBlocks> Blocks =
      executedWith(I.getParent());
  SmallVector<const Instruction *, 16> Work{&I};
  SmallPtrSet<const Instruction *, 16> Seen{&I};
  while (!Work.empty()) {
    const Instruction *V = Work.pop_back_val();
    for (const User *U : V->users()) {
      const auto *User = cast<Instruction>(U);
      if (auto *Phi = dyn_cast<PHINode>(User)) {
        // Where the last block ends in a condition, its successors' merges are
        // looked at together.
        if (any_of(drop_end(Blocks), [&](const BasicBlock *From) {
              return is_contained(Phi->blocks(), From) &&
                     Phi->getIncomingValueForBlock(From) == V;
            }))
          return false;
        continue;
      }
      if (!is_contained(Blocks, User->getParent()) || isa<SelectInst>(User))
        continue;
      if (staysInPlace(*User))
        return false;
      if (Seen.size() < MaxUsers && Seen.insert(User).second)
        Work.push_back(User);
    }
    if (mergedOnAllWays(*V, *Blocks.back()) && !succ_empty(Blocks.back()))
      return false;
  }
  return true;
}

} // namespace adze
