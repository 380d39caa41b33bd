// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FoldLatches.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace adze {

/// One more execution of so many instructions is little against the loop.
static constexpr unsigned MaxInstructions = 24;

/// The latch that can be folded into the header of \p L, or null.
static BasicBlock *foldableLatch(const Loop &L) {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  if (L.getNumBlocks() != 2 || !Latch || Latch == Header ||
      Latch->getSinglePredecessor() != Header ||
      !isa<BranchInst>(Header->getTerminator()) ||
      !Latch->getSingleSuccessor() || isa<PHINode>(Latch->front()))
    return nullptr;
  unsigned Count = 0;
  for (const Instruction &I : Latch->instructionsWithoutDebug()) {
    if (I.isTerminator())
      break;
    if (++Count > MaxInstructions || I.mayReadOrWriteMemory() ||
        !isSafeToSpeculativelyExecute(&I))
      return nullptr;
  }
  return Latch;
}

static void fold(BasicBlock &Header, BasicBlock &Latch) {
  Instruction *End = Header.getTerminator();
  for (Instruction &I : make_early_inc_range(Latch)) {
    if (I.isTerminator())
      break;
    if (isa<DbgInfoIntrinsic>(I)) {
      I.eraseFromParent();
      continue;
    }
    // The line of an instruction that was not reached would mislead.
    I.dropLocation();
    I.dropUBImplyingAttrsAndMetadata();
    I.moveBefore(End);
  }
  MDNode *Hints = Latch.getTerminator()->getMetadata(LLVMContext::MD_loop);
  End->replaceSuccessorWith(&Latch, &Header);
  End->setMetadata(LLVMContext::MD_loop, Hints);
  Header.replacePhiUsesWith(&Latch, &Header);
  Latch.getTerminator()->eraseFromParent();
  new UnreachableInst(Latch.getContext(), &Latch);
  DeleteDeadBlock(&Latch);
}

PreservedAnalyses FoldLatchesPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  bool Changed = false;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (BasicBlock *Latch = L->isInnermost() ? foldableLatch(*L) : nullptr) {
      fold(*L->getHeader(), *Latch);
      Changed = true;
    }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace adze
