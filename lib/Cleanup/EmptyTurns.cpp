// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmptyTurns.h"
#include "adze/TeamTurns.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

/// The ends of the turn that \p Begin begins, if nothing is done in it; else
/// none. Blocks that lie within, as a whole, go to \p Within.
SmallVector<CallBase *, 2> endsOf(CallBase &Begin,
                                  SetVector<BasicBlock *> &Within) {
  SmallVector<CallBase *, 2> Ends;
  SmallVector<Instruction *, 4> Work{Begin.getNextNode()};
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    for (; !I->isTerminator(); I = I->getNextNode()) {
      auto *Call = dyn_cast<CallBase>(I);
      if (Call && teams::isTurnEnd(*Call)) {
        Ends.push_back(Call);
        break;
      }
      if (I->mayReadOrWriteMemory() || I->mayHaveSideEffects())
        return {};
    }
    if (!I->isTerminator())
      continue;
    if (!isa<BranchInst, SwitchInst>(I))
      return {};
    for (BasicBlock *Next : successors(I))
      if (Next == Begin.getParent())
        return {};
      else if (Within.insert(Next))
        Work.push_back(&Next->front());
  }
  return Ends;
}

/// Whoever comes to one of \p Within comes from there, or from \p Begin.
bool isEnteredAt(const CallBase &Begin, const SetVector<BasicBlock *> &Within,
                 ArrayRef<CallBase *> Ends) {
  SmallPtrSet<const BasicBlock *, 4> Leave;
  for (const CallBase *End : Ends)
    Leave.insert(End->getParent());
  return all_of(Within, [&](BasicBlock *B) {
    return all_of(predecessors(B), [&](BasicBlock *P) {
      return P == Begin.getParent() ||
             (Within.contains(P) && !Leave.contains(P));
    });
  });
}

} // namespace

void dropEmptyTurns(Function &F) {
  SmallVector<CallBase *, 4> Begins;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && teams::isTurnBegin(*Call))
      Begins.push_back(Call);
  for (CallBase *Begin : Begins) {
    SetVector<BasicBlock *> Within;
    const SmallVector<CallBase *, 2> Ends = endsOf(*Begin, Within);
    if (Ends.empty() || !isEnteredAt(*Begin, Within, Ends))
      continue;
    for (CallBase *End : Ends)
      End->eraseFromParent();
    Begin->eraseFromParent();
  }
}

} // namespace adze
