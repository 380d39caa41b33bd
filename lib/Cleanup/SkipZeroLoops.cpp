// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SkipZeroLoops.h"
#include "MemorySums.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

/// A branch costs more than fewer iterations.
constexpr unsigned LeastIterations = 6;
constexpr unsigned MaxQuestions = 500;

/// Some value is 0 where C is not IfTrue.
struct Condition {
  Value *C;
  bool IfTrue;
};

/// Which values are 0, while a loop runs, if a condition in front of it does
/// not hold. (A phi of another loop may have a value of the time when it did.)
class Zeros {
public:
  Zeros(Condition If, const Loop &L) : If(If), L(L) {}

  bool isZero(const Value *V);

private:
  bool compute(const Instruction &I);
  bool isChosen(const SelectInst &Choice);

  const Condition If;
  const Loop &L;
  SmallPtrSet<const Value *, 8> Open; // phis, 0 in the first iteration
  unsigned Questions = 0;
};

/// What is open is taken to be 0: a phi is 0 in each iteration if it is so in
/// the first one and, where it was in the one before, in the next.
bool Zeros::isZero(const Value *V) {
  if (match(V, m_AnyZeroFP()))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || ++Questions > MaxQuestions)
    return false;
  if (!isa<PHINode>(I))
    return compute(*I);
  if (!L.contains(I))
    return false;
  if (!Open.insert(I).second)
    return true;
  const bool Is = all_of(cast<PHINode>(I)->incoming_values(),
                         [&](const Use &In) { return isZero(In); });
  Open.erase(I);
  return Is;
}

bool Zeros::isChosen(const SelectInst &Choice) {
  const Value *Otherwise =
      If.IfTrue ? Choice.getFalseValue() : Choice.getTrueValue();
  if (Choice.getCondition() == If.C && isZero(Otherwise))
    return true;
  return isZero(Choice.getTrueValue()) && isZero(Choice.getFalseValue());
}

bool Zeros::compute(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Select:
    return isChosen(cast<SelectInst>(I));
  case Instruction::FMul:
    return isZero(I.getOperand(0)) || isZero(I.getOperand(1));
  case Instruction::FAdd:
  case Instruction::FSub:
    return isZero(I.getOperand(0)) && isZero(I.getOperand(1));
  case Instruction::FNeg:
  case Instruction::FDiv:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return isZero(I.getOperand(0));
  case Instruction::Call:
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      if (Call->getIntrinsicID() == Intrinsic::fmuladd ||
          Call->getIntrinsicID() == Intrinsic::fma)
        return isZero(Call->getArgOperand(2)) &&
               (isZero(Call->getArgOperand(0)) ||
                isZero(Call->getArgOperand(1)));
    return false;
  default:
    return false;
  }
}

class Skipper {
public:
  Skipper(LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE)
      : LI(LI), DT(DT), SE(SE) {}

  bool run();

private:
  bool skip(Loop &L);
  bool isLong(Loop &L);
  bool collect(Loop &L);
  SmallVector<Condition, 4> conditions(const Loop &L);
  bool addsZerosUnless(Condition If, const Loop &L);
  void put(Loop &L, Condition If);

  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  /// What is stored, and what of it was there before.
  SmallVector<MemorySum, 8> Sums;
};

bool Skipper::isLong(Loop &L) {
  if (isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return false; // perhaps it never ends
  const unsigned Count = SE.getSmallConstantTripCount(&L);
  return Count == 0 || Count >= LeastIterations;
}

/// All that \p L does beside sums is to load and to calculate, and nobody asks
/// what.
bool Skipper::collect(Loop &L) {
  Sums.clear();
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      for (const User *U : I.users())
        if (!L.contains(cast<Instruction>(U)))
          return false;
      if (auto *Store = dyn_cast<StoreInst>(&I)) {
        std::optional<MemorySum> Sum = sumOf(*Store, SE);
        if (!Sum)
          return false;
        Sums.push_back(*Sum);
        continue;
      }
      if (I.mayWriteToMemory() || I.mayThrow() || !I.willReturn())
        return false;
    }
  for (const Loop *Within : L.getSubLoops())
    if (isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(Within)))
      return false;
  return !Sums.empty();
}

/// Those of choices of 0 in front of \p L that it uses.
SmallVector<Condition, 4> Skipper::conditions(const Loop &L) {
  SmallVector<Condition, 4> Found;
  SmallPtrSet<const Value *, 8> Seen;
  auto look = [&](Value *V) {
    auto *Choice = dyn_cast<SelectInst>(V);
    if (!Choice || L.contains(Choice) || !Seen.insert(Choice).second ||
        !Choice->getType()->isFloatingPointTy() ||
        !Choice->getCondition()->getType()->isIntegerTy(1))
      return;
    if (match(Choice->getFalseValue(), m_AnyZeroFP()))
      Found.push_back({Choice->getCondition(), true});
    else if (match(Choice->getTrueValue(), m_AnyZeroFP()))
      Found.push_back({Choice->getCondition(), false});
  };
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      for (Value *Op : I.operands()) {
        look(Op);
        auto *Before = dyn_cast<Instruction>(Op);
        if (Before && !L.contains(Before) && !isa<PHINode>(Before) &&
            Before->getType()->isFloatingPointTy())
          for (Value *Inner : Before->operands())
            look(Inner);
      }
  return Found;
}

/// Each sum adds nothing but what is 0 then.
bool Skipper::addsZerosUnless(Condition If, const Loop &L) {
  Zeros Z(If, L);
  return all_of(Sums, [&](const MemorySum &S) {
    // sumOf has found a way of additions from the store to the load.
    SmallVector<const Value *, 4> Work(1, S.New->getValueOperand());
    while (!Work.empty()) {
      const Value *V = Work.pop_back_val();
      if (V == S.Old || Z.isZero(V))
        continue;
      auto *I = dyn_cast<Instruction>(V);
      if (!I || (I->getOpcode() != Instruction::FAdd &&
                 I->getOpcode() != Instruction::FSub))
        return false;
      if (I->getOpcode() == Instruction::FSub && !Z.isZero(I->getOperand(1)))
        return false; // what is there would change its sign
      append_range(Work, I->operand_values());
    }
    return true;
  });
}

void Skipper::put(Loop &L, Condition If) {
  BasicBlock *Before = L.getLoopPreheader(), *Exit = L.getExitBlock();
  BasicBlock *Inside = SplitBlock(Before, Before->getTerminator(), &DT, &LI);
  BasicBlock *Behind =
      SplitBlockPredecessors(Exit, {L.getExitingBlock()}, ".skipped", &DT, &LI,
                             /*MSSAU=*/nullptr, /*PreserveLCSSA=*/true);
  for (PHINode &Phi : Behind->phis()) // of values from in front of the loop
    Phi.addIncoming(Phi.getIncomingValue(0), Before);
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  // What is poison may be chosen by, but not be branched on.
  Value *C = isGuaranteedNotToBePoison(If.C) ? If.C : B.CreateFreeze(If.C);
  B.CreateCondBr(C, If.IfTrue ? Inside : Behind, If.IfTrue ? Behind : Inside);
  DT.insertEdge(Before, Behind);
}

bool Skipper::skip(Loop &L) {
  if (!L.getLoopPreheader() || !L.getExitBlock() || !L.getExitingBlock() ||
      !isLong(L) || !collect(L))
    return false;
  for (const Condition &If : conditions(L))
    if (DT.dominates(If.C, L.getLoopPreheader()->getTerminator()) &&
        addsZerosUnless(If, L)) {
      put(L, If);
      return true;
    }
  return false;
}

bool Skipper::run() {
  bool Changed = false;
  SmallVector<Loop *, 16> Work(LI.begin(), LI.end());
  while (!Work.empty()) {
    Loop *L = Work.pop_back_val();
    if (skip(*L))
      Changed = true; // with the loops within
    else
      append_range(Work, L->getSubLoops());
  }
  return Changed;
}

} // namespace

PreservedAnalyses SkipZeroLoopsPass::run(Function &F,
                                         FunctionAnalysisManager &FAM) {
  Skipper S(FAM.getResult<LoopAnalysis>(F),
            FAM.getResult<DominatorTreeAnalysis>(F),
            FAM.getResult<ScalarEvolutionAnalysis>(F));
  return S.run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace adze
