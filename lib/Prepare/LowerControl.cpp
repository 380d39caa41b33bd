// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow that derivatives do not mirror, rewritten into br and calls.
#include "Prepare/Stages.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

/// The label of \p Source whose copy in the clone is \p Copy. Blocks keep
/// their order in a clone, so positions correspond until the first change.
static BlockAddress *labelOf(BasicBlock *Copy,
                             const DenseMap<BasicBlock *, BasicBlock *> &Of,
                             Function &Source) {
  return BlockAddress::get(&Source, Of.lookup(Copy));
}

/// indirectbr compares its address with one label after the other; the last
/// destination needs no comparison, as any other address is undefined.
static void lowerIndirectBranches(Function &F, Function &Source) {
  SmallVector<IndirectBrInst *, 2> Branches;
  for (BasicBlock &B : F)
    if (auto *Br = dyn_cast<IndirectBrInst>(B.getTerminator()))
      Branches.push_back(Br);
  if (Branches.empty())
    return;
  DenseMap<BasicBlock *, BasicBlock *> Of;
  for (auto Pair : zip(F, Source))
    Of[&std::get<0>(Pair)] = &std::get<1>(Pair);

  for (IndirectBrInst *Br : Branches) {
    BasicBlock *From = Br->getParent();
    SmallVector<BasicBlock *, 8> Targets;
    SmallPtrSet<BasicBlock *, 8> Seen;
    for (BasicBlock *Target : successors(From)) {
      if (Seen.insert(Target).second)
        Targets.push_back(Target);
      else
        Target->removePredecessor(From, /*KeepOneInputPHIs=*/true);
    }
    Value *Address = Br->getAddress();
    DebugLoc Loc = Br->getDebugLoc();
    Br->eraseFromParent();
    BasicBlock *At = From;
    for (BasicBlock *Target : Targets) {
      IRBuilder<> B(At);
      B.SetCurrentDebugLocation(Loc);
      Target->replacePhiUsesWith(From, At);
      if (Target == Targets.back()) {
        B.CreateBr(Target);
        break;
      }
      BasicBlock *Next = BasicBlock::Create(F.getContext(), "goto.next", &F,
                                            At->getNextNode());
      Value *Here = B.CreateICmpEQ(Address, labelOf(Target, Of, Source));
      B.CreateCondBr(Here, Target, Next);
      At = Next;
    }
    if (Targets.empty())
      new UnreachableInst(F.getContext(), From);
  }
}

void lowerControl(Function &F, Function &Source,
                  const ExceptionScopes &Scopes) {
  lowerIndirectBranches(F, Source);
  lowerExceptions(F, Source, Scopes);
  // A derivative makes shadows of this function's memory and hands them to
  // what is called here: no call can reuse this frame.
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (Call->isTailCall())
        Call->setTailCallKind(CallInst::TCK_None);
  removeUnreachableBlocks(F);
  bool HasPads = any_of(F, [](BasicBlock &B) { return B.isEHPad(); });
  if (!HasPads && F.hasPersonalityFn())
    F.setPersonalityFn(nullptr);
}

} // namespace adze
