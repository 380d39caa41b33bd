// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimizer joins what two branches have in common at their ends:
//
//   a: t1 = .. -> c    b: t2 = .. -> c    c: t = phi [t1, a], [t2, b]
//                                            __kmpc_omp_task(.., t)
//
// Where that is the creation of a task, each branch gets its own again: the
// first part of the block, up to the call, is copied for each predecessor.
#include "Prepare/Stages.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace adze {

namespace {

/// \p Call is of a function that creates a task, or makes its block, and gets a
/// block or a function that depends on where control comes from.
bool isJoined(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  if (!F || !F->isDeclaration())
    return false;
  const StringRef Name = F->getName();
  if (!Name.starts_with("__kmpc_omp_task") &&
      !Name.starts_with("__kmpc_taskloop"))
    return false;
  return any_of(Call.args(), [&](const Use &Arg) {
    auto *Join = dyn_cast<PHINode>(Arg);
    return Join && Join->getType()->isPointerTy() &&
           Join->getParent() == Call.getParent();
  });
}

/// What is used of \p I outside of its block goes through a variable.
void keepInVariable(Instruction &I) {
  const BasicBlock *Block = I.getParent();
  SmallVector<Use *, 4> Outside;
  for (Use &U : I.uses()) {
    auto *User = cast<Instruction>(U.getUser());
    auto *Join = dyn_cast<PHINode>(User);
    if (Join || User->getParent() != Block)
      Outside.push_back(&U);
  }
  if (Outside.empty())
    return;
  Function &F = *I.getFunction();
  IRBuilder<> Entry(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Variable = Entry.CreateAlloca(I.getType());
  // In front of the call, or of what follows the phis.
  IRBuilder<>(I.getParent(), isa<PHINode>(I)
                                 ? I.getParent()->getFirstInsertionPt()
                                 : std::next(I.getIterator()))
      .CreateStore(&I, Variable);
  for (Use *U : Outside) {
    auto *User = cast<Instruction>(U->getUser());
    auto *Join = dyn_cast<PHINode>(User);
    Instruction *At = Join ? Join->getIncomingBlock(*U)->getTerminator() : User;
    U->set(IRBuilder<>(At).CreateLoad(I.getType(), Variable));
  }
}

/// \p Block, which ends in a branch to one successor without phis, for each of
/// its predecessors.
void copyForPredecessors(BasicBlock &Block) {
  Function &F = *Block.getParent();
  for (Instruction &I : make_early_inc_range(Block))
    if (!I.getType()->isVoidTy())
      keepInVariable(I);
  const SmallSetVector<BasicBlock *, 4> Before(pred_begin(&Block),
                                               pred_end(&Block));
  for (BasicBlock *From : Before) {
    ValueToValueMapTy Map;
    BasicBlock *Copy = CloneBasicBlock(&Block, Map, ".task", &F);
    for (PHINode &Join : Block.phis()) {
      auto *Of = cast<PHINode>(Map[&Join]);
      Map[&Join] = Join.getIncomingValueForBlock(From);
      Of->eraseFromParent();
    }
    for (Instruction &I : *Copy)
      RemapInstruction(&I, Map,
                       RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    From->getTerminator()->replaceSuccessorWith(&Block, Copy);
  }
  DeleteDeadBlock(&Block);
}

} // namespace

void separateTasks(Function &F) {
  constexpr unsigned MaxCalls = 64;
  for (unsigned Count = 0; Count < MaxCalls; ++Count) {
    CallInst *Joined = nullptr;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && isJoined(*Call)) {
        Joined = Call;
        break;
      }
    if (!Joined)
      return;
    BasicBlock &Block = *Joined->getParent();
    Block.splitBasicBlock(std::next(Joined->getIterator()));
    copyForPredecessors(Block);
  }
}

} // namespace adze
