// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop becomes the inner one of two:
//
//   before:                            // [From, To) of the iterations: alone
//   parts:   i0 = phi(0, i1)           // and one phi for each of the header
//            alone = From <= i0 < To
//            end = i0 < From ? From : i0 < To ? To : count
//   header:  i = phi(i0, i + 1) ..
//   latch:   i1 = i + 1; if (i1 != end) goto header
//   next:    if (i1 != count) goto parts
//   exit:
//
// Which iterations run, and in which order, does not depend on the bounds of
// the parts; and alone is what the condition says in each of them.
#include "TeamSums.h"
#include "adze/AtomicSum.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {

namespace {

class Cutting {
public:
  Cutting(Loop &L, ScalarEvolution &SE, DominatorTree &DT, LoopInfo &Loops)
      : L(L), SE(SE), DT(DT), Loops(Loops) {}

  /// Whether it is known how.
  bool find();
  void apply();

private:
  bool isInvariant(Value *V) const { return L.isLoopInvariant(V); }
  bool findWay(CallInst &Call);
  void addParts();

  Loop &L;
  ScalarEvolution &SE;
  DominatorTree &DT;
  LoopInfo &Loops;
  /// They all ask the same.
  SmallVector<CallInst *, 8> Calls;
  const SCEV *Start = nullptr, *Count = nullptr; // of the counter
  bool GoesDown = false;
  /// i64, in front of the loop.
  Value *From = nullptr, *To = nullptr, *Iterations = nullptr;
};

bool areAlike(const CallInst &A, const CallInst &B) {
  return all_of(zip(A.args(), B.args()), [](const auto &Pair) {
    return std::get<0>(Pair).get() == std::get<1>(Pair).get();
  });
}

bool Cutting::findWay(CallInst &Call) {
  for (unsigned K : {Last, AtBegin, AtEnd, Always})
    if (!isInvariant(Call.getArgOperand(K)))
      return false;
  auto *Steps =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Call.getArgOperand(Counter)));
  if (!Steps || Steps->getLoop() != &L || !Steps->isAffine())
    return false;
  const SCEV *Step = Steps->getStepRecurrence(SE);
  Start = Steps->getStart();
  GoesDown = Step->isAllOnesValue();
  return GoesDown || Step->isOne();
}

bool Cutting::find() {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (isBetweenBounds(&I))
        Calls.push_back(cast<CallInst>(&I));
  BasicBlock *Latch = L.getLoopLatch();
  if (Calls.empty() || !L.isLoopSimplifyForm() ||
      L.getExitingBlock() != Latch || !L.getExitBlock() ||
      !isa<BranchInst>(Latch->getTerminator()) ||
      any_of(Calls, [&](CallInst *C) { return !areAlike(*C, *Calls[0]); }) ||
      !findWay(*Calls[0]))
    return false;
  Count = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count) ||
      SE.getTypeSizeInBits(Count->getType()) > 64)
    return false;
  const SCEVExpander Expander(SE, L.getHeader()->getDataLayout(), "part");
  const Instruction *At = L.getLoopPreheader()->getTerminator();
  return Expander.isSafeToExpandAt(Count, At) &&
         Expander.isSafeToExpandAt(Start, At);
}

/// Iterations From up to To are those in which the counter is not less than
/// AtBegin, and not more than Last - AtEnd; none if there are no such.
void Cutting::addParts() {
  Instruction *At = L.getLoopPreheader()->getTerminator();
  SCEVExpander Expander(SE, At->getDataLayout(), "part");
  IRBuilder<> B(At);
  Value *First = Expander.expandCodeFor(Start, B.getInt64Ty(), At);
  Value *Runs = Expander.expandCodeFor(Count, Count->getType(), At);
  Iterations = B.CreateFreeze(
      B.CreateAdd(B.CreateZExt(Runs, B.getInt64Ty()), B.getInt64(1)));
  auto operand = [&](unsigned K) { return Calls[0]->getArgOperand(K); };
  Value *Least = operand(AtBegin);
  Value *Most = B.CreateSub(operand(Last), operand(AtEnd));
  // How far A is behind B, 0 if it is not.
  auto behind = [&](Value *A, Value *Of) {
    return B.CreateBinaryIntrinsic(Intrinsic::usub_sat, A, Of);
  };
  Value *Begin = GoesDown ? behind(First, Most) : behind(Least, First);
  Value *End = GoesDown ? behind(B.CreateAdd(First, B.getInt64(1)), Least)
                        : behind(B.CreateAdd(Most, B.getInt64(1)), First);
  Value *Any = B.CreateAnd(B.CreateICmpUGE(operand(Last), operand(AtEnd)),
                           B.CreateICmpULT(Begin, End));
  // Never, and always.
  Begin = B.CreateSelect(Any, Begin, Iterations);
  End = B.CreateSelect(Any, End, Iterations);
  Begin = B.CreateSelect(operand(Always), B.getInt64(0), Begin);
  End = B.CreateSelect(operand(Always), Iterations, End);
  From = B.CreateFreeze(
      B.CreateBinaryIntrinsic(Intrinsic::umin, Begin, Iterations));
  To =
      B.CreateFreeze(B.CreateBinaryIntrinsic(Intrinsic::umin, End, Iterations));
}

/// What the loop has left in \p V is known behind it, in \p Next.
PHINode *leaveIn(Value *V, BasicBlock *Latch, BasicBlock *Next) {
  PHINode *Left = PHINode::Create(V->getType(), 1, V->getName() + ".part");
  Left->insertBefore(Next->begin());
  Left->addIncoming(V, Latch);
  return Left;
}

void Cutting::apply() {
  formLCSSA(L, DT, &Loops, &SE);
  addParts();
  BasicBlock *Before = L.getLoopPreheader(), *Header = L.getHeader(),
             *Latch = L.getLoopLatch(), *Exit = L.getExitBlock();
  Function &F = *Header->getParent();
  BasicBlock *Parts = BasicBlock::Create(F.getContext(), "parts", &F, Header);
  BasicBlock *Next = BasicBlock::Create(F.getContext(), "next", &F, Exit);

  for (PHINode &Phi : Exit->phis()) {
    Phi.setIncomingValueForBlock(
        Latch, leaveIn(Phi.getIncomingValueForBlock(Latch), Latch, Next));
    Phi.replaceIncomingBlockWith(Latch, Next);
  }
  IRBuilder<> B(Parts);
  auto carry = [&](Value *In, Value *Out) {
    PHINode *Phi = B.CreatePHI(In->getType(), 2);
    Phi->addIncoming(In, Before);
    Phi->addIncoming(leaveIn(Out, Latch, Next), Next);
    return Phi;
  };
  for (PHINode &Phi : Header->phis()) {
    Phi.setIncomingValueForBlock(Before,
                                 carry(Phi.getIncomingValueForBlock(Before),
                                       Phi.getIncomingValueForBlock(Latch)));
    Phi.replaceIncomingBlockWith(Before, Parts);
  }
  Instruction *Back = Latch->getTerminator();
  PHINode *Here = PHINode::Create(B.getInt64Ty(), 2, "iteration");
  Here->insertBefore(Header->begin());
  B.SetInsertPoint(Back);
  Value *Done = B.CreateNUWAdd(Here, B.getInt64(1));
  B.SetInsertPoint(Parts);
  PHINode *First = carry(B.getInt64(0), Done);
  Here->addIncoming(First, Parts);
  Here->addIncoming(Done, Latch);
  Value *IsBefore = B.CreateICmpULT(First, From);
  Value *IsNotBehind = B.CreateICmpULT(First, To);
  Value *Alone = B.CreateAnd(B.CreateNot(IsBefore), IsNotBehind, "alone");
  Value *End = B.CreateSelect(IsBefore, From,
                              B.CreateSelect(IsNotBehind, To, Iterations));
  B.CreateBr(Header);
  Before->getTerminator()->replaceSuccessorWith(Header, Parts);

  B.SetInsertPoint(Back);
  B.CreateCondBr(B.CreateICmpEQ(Done, End), Next, Header)
      ->copyMetadata(*Back, {LLVMContext::MD_loop});
  Back->eraseFromParent();
  B.SetInsertPoint(Next);
  Value *All = leaveIn(Done, Latch, Next);
  B.CreateCondBr(B.CreateICmpEQ(All, Iterations), Exit, Parts);
  for (CallInst *Call : Calls) {
    Call->replaceAllUsesWith(Alone);
    Call->eraseFromParent();
  }
}

/// The calls that are left.
bool inlineConditions(Function &F) {
  SmallVector<CallBase *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (isBetweenBounds(&I))
      Calls.push_back(cast<CallBase>(&I));
  for (CallBase *Call : Calls) {
    InlineFunctionInfo Info;
    InlineFunction(*Call, Info);
  }
  return !Calls.empty();
}

bool cutOne(Function &F, FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  for (Loop *L : Loops.getLoopsInPreorder()) {
    if (!L->isInnermost())
      continue;
    Cutting C(*L, SE, DT, Loops);
    if (!C.find())
      continue;
    C.apply();
    FAM.invalidate(F, PreservedAnalyses::none());
    return true;
  }
  return false;
}

} // namespace

PreservedAnalyses CutTeamLoopsPass::run(Function &F,
                                        FunctionAnalysisManager &FAM) {
  if (none_of(instructions(F),
              [](const Instruction &I) { return isBetweenBounds(&I); }))
    return PreservedAnalyses::all();
  constexpr unsigned MaxLoops = 32;
  if (!F.hasOptSize() && !F.hasOptNone())
    for (unsigned K = 0; K < MaxLoops && cutOne(F, FAM); ++K)
      ;
  inlineConditions(F);
  return PreservedAnalyses::none();
}

} // namespace adze
