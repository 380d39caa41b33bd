// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From memory to values, and the control flow brought to shape. Input that the
// optimizer has seen passes through almost unchanged; what comes from -O0 gets
// the cheapest passes that make its derivatives decent. Nothing here rotates,
// unrolls or vectorizes loops.
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/Reg2Mem.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace adze {

/// A switch with more duplicate edges than this becomes a tree of comparisons,
/// which joins ranges of cases; else every duplicate gets a block of its own.
static constexpr unsigned MaxSplitCases = 32;

static void runPasses(Function &F, FunctionAnalysisManager &FAM,
                      FunctionPassManager Passes) {
  FAM.invalidate(F, PreservedAnalyses::none());
  FAM.invalidate(F, Passes.run(F, FAM));
}

/// Whether memory that the optimizer would have promoted is still memory.
static bool isUnoptimized(Function &F) {
  for (Instruction &I : F.getEntryBlock())
    if (auto *Slot = dyn_cast<AllocaInst>(&I))
      if (isAllocaPromotable(Slot))
        return true;
  return false;
}

/// Math functions may set errno, and errno may be the pointer that a container
/// holds, for all that the optimizer knows: so in loops it has read the pointer
/// again. No derivative is asked for errno: says of such functions that they
/// leave memory alone, if one stands in a loop and a loop reads a pointer.
static bool quietMath(Function &F, FunctionAnalysisManager &FAM) {
  const LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<CallBase *, 8> Loud;
  bool ReadsPointers = false;
  for (Instruction &I : instructions(F)) {
    if (!LI.getLoopFor(I.getParent()))
      continue;
    ReadsPointers |= isa<LoadInst>(I) && I.getType()->isPointerTy();
    auto *Call = dyn_cast<CallBase>(&I);
    const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
    if (Known && Known->Facts.By == Derivation::Partials &&
        Call->mayWriteToMemory())
      Loud.push_back(Call);
  }
  if (!ReadsPointers)
    return false;
  for (CallBase *Call : Loud)
    Call->setDoesNotAccessMemory();
  return !Loud.empty();
}

void simplifyPrimal(Function &F, FunctionAnalysisManager &FAM) {
  bool Unoptimized = isUnoptimized(F);
  bool MayForward = !Unoptimized && quietMath(F, FAM);
  SimplifyCFGOptions Gentle;
  Gentle.hoistCommonInsts(Unoptimized);
  FunctionPassManager Passes;
  Passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  // Which function a thread runs is seen where its object is made.
  if (Unoptimized || createsThreads(F))
    Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(SimplifyCFGPass(Gentle));
  if (Unoptimized) {
    Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    Passes.addPass(InstSimplifyPass());
    Passes.addPass(SimplifyCFGPass(Gentle));
  }
  if (MayForward) {
    Passes.addPass(GVNPass(GVNOptions().setPRE(false).setLoadPRE(false)));
    Passes.addPass(InstCombinePass()); // phis around a loop of one value
  }
  runPasses(F, FAM, std::move(Passes));
  removeUnreachableBlocks(F);
  // What was moved through a variable stands beside its store or load then.
  for (unsigned Round = 0; Round < 2 && readFloatWords(F); ++Round) {
    FunctionPassManager Again;
    Again.addPass(SROAPass(SROAOptions::PreserveCFG));
    Again.addPass(InstSimplifyPass());
    runPasses(F, FAM, std::move(Again));
  }
}

/// Makes one block return; the others branch there.
static void uniteReturns(Function &F) {
  SmallVector<ReturnInst *, 4> Returns;
  for (BasicBlock &B : F)
    if (auto *Ret = dyn_cast<ReturnInst>(B.getTerminator()))
      Returns.push_back(Ret);
  if (Returns.size() < 2)
    return;
  BasicBlock *Exit = BasicBlock::Create(F.getContext(), "adze.return", &F);
  PHINode *Result = nullptr;
  if (!F.getReturnType()->isVoidTy())
    Result =
        PHINode::Create(F.getReturnType(), Returns.size(), "adze.result", Exit);
  ReturnInst *Last = ReturnInst::Create(F.getContext(), Result, Exit);
  Last->setDebugLoc(Returns.back()->getDebugLoc());
  for (ReturnInst *Ret : Returns) {
    if (Result)
      Result->addIncoming(Ret->getReturnValue(), Ret->getParent());
    BranchInst *Br = BranchInst::Create(Exit, Ret->getIterator());
    Br->setDebugLoc(Ret->getDebugLoc());
    Ret->eraseFromParent();
  }
}

/// How many edges of \p B lead to a successor that another edge has reached.
static unsigned duplicateEdges(BasicBlock &B) {
  SmallPtrSet<BasicBlock *, 8> Seen;
  unsigned Duplicates = 0;
  for (BasicBlock *Successor : successors(&B))
    Duplicates += !Seen.insert(Successor).second;
  return Duplicates;
}

/// Lets every edge be known by its two blocks. Equal edges carry equal values
/// into phis, so a conditional branch with two of them is unconditional.
static void makeEdgesUnique(Function &F) {
  SmallVector<Instruction *, 8> Ends;
  for (BasicBlock &B : F)
    if (duplicateEdges(B))
      Ends.push_back(B.getTerminator());
  for (Instruction *End : Ends) {
    BasicBlock *From = End->getParent();
    if (isa<BranchInst>(End)) {
      BasicBlock *To = End->getSuccessor(0);
      To->removePredecessor(From, /*KeepOneInputPHIs=*/true);
      BranchInst *Br = BranchInst::Create(To, End->getIterator());
      Br->setDebugLoc(End->getDebugLoc());
      End->eraseFromParent();
      continue;
    }
    SmallPtrSet<BasicBlock *, 8> Seen;
    for (unsigned I = 0; I != End->getNumSuccessors(); ++I) {
      BasicBlock *To = End->getSuccessor(I);
      if (Seen.insert(To).second)
        continue;
      BasicBlock *Middle =
          BasicBlock::Create(F.getContext(), "adze.case", &F, To);
      BranchInst *Br = BranchInst::Create(To, Middle);
      Br->setDebugLoc(End->getDebugLoc());
      End->setSuccessor(I, Middle);
      // One of the equal entries of From now belongs to the new block.
      for (PHINode &Phi : To->phis())
        Phi.setIncomingBlock(Phi.getBasicBlockIndex(From), Middle);
    }
  }
}

/// Moves allocas of constant size that run once at most to the entry block.
/// True if there was one.
static bool hoistStaticAllocas(Function &F, const LoopInfo &LI) {
  BasicBlock &Entry = F.getEntryBlock();
  SmallVector<AllocaInst *, 8> Late;
  for (BasicBlock &B : F) {
    if (&B == &Entry || LI.getLoopFor(&B))
      continue;
    for (Instruction &I : B)
      if (auto *Slot = dyn_cast<AllocaInst>(&I))
        if (isa<ConstantInt>(Slot->getArraySize()) &&
            !Slot->isUsedWithInAlloca())
          Late.push_back(Slot);
  }
  for (AllocaInst *Slot : Late)
    Slot->moveBefore(Entry, Entry.getFirstInsertionPt());
  return !Late.empty();
}

static bool isIrreducible(Function &F, const LoopInfo &LI) {
  ReversePostOrderTraversal<const Function *> Order(&F);
  return containsIrreducibleCFG<const BasicBlock *>(Order, LI);
}

/// Branches whose way is a constant lead there.
static void foldBranches(Function &F) {
  bool Changed = false;
  for (BasicBlock &B : F)
    Changed |= ConstantFoldTerminator(&B, /*DeleteDeadConditions=*/true);
  if (Changed)
    removeUnreachableBlocks(F);
}

void shapeControl(Function &F, FunctionAnalysisManager &FAM) {
  foldBranches(F);
  uniteReturns(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  bool Irreducible = isIrreducible(F, FAM.getResult<LoopAnalysis>(F));
  bool Wide = any_of(F, [](BasicBlock &B) {
    return isa<SwitchInst>(B.getTerminator()) &&
           duplicateEdges(B) > MaxSplitCases;
  });
  if (Irreducible || Wide) {
    FunctionPassManager Passes;
    Passes.addPass(LowerSwitchPass());
    runPasses(F, FAM, std::move(Passes));
    makeEdgesUnique(F);
  }
  if (Irreducible) {
    // FixIrreducible of LLVM 19 loses phi entries where an entry of the cycle
    // is also the header of a loop inside; without phis it has none to lose.
    FunctionPassManager Passes;
    Passes.addPass(RegToMemPass());
    Passes.addPass(FixIrreduciblePass());
    Passes.addPass(SROAPass(SROAOptions::PreserveCFG));
    Passes.addPass(InstSimplifyPass());
    runPasses(F, FAM, std::move(Passes));
  }
  makeEdgesUnique(F);
  FAM.invalidate(F, PreservedAnalyses::none());

  FunctionPassManager Passes;
  bool Hoisted = hoistStaticAllocas(F, FAM.getResult<LoopAnalysis>(F));
  // Besides, a slot may have become a register since it lost an access of
  // another type, which nothing used.
  if (Hoisted || isUnoptimized(F))
    Passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  runPasses(F, FAM, std::move(Passes));
}

} // namespace adze
