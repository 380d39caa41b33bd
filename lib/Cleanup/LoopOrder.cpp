// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopOrder.h"
#include "Loops/LoopAccess.h"

#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

/// The comparison with zero that ends \p L behind its latch.
ICmpInst *findExitTest(const Loop &L) {
  BasicBlock *Latch = L.getLoopLatch();
  if (!L.getLoopPreheader() || !Latch || L.getExitingBlock() != Latch)
    return nullptr;
  auto *Branch = dyn_cast<BranchInst>(Latch->getTerminator());
  auto *IsZero = Branch && Branch->isConditional()
                     ? dyn_cast<ICmpInst>(Branch->getCondition())
                     : nullptr;
  if (!IsZero || !IsZero->hasOneUse() || !IsZero->isEquality() ||
      !match(IsZero->getOperand(1), m_Zero()))
    return nullptr;
  bool LeavesIfZero = IsZero->getPredicate() == ICmpInst::ICMP_EQ;
  return L.contains(Branch->getSuccessor(0)) == LeavesIfZero ? nullptr : IsZero;
}

} // namespace

std::optional<CountDown> findCountDown(const Loop &L) {
  ICmpInst *IsZero = findExitTest(L);
  auto *Value = IsZero ? dyn_cast<Instruction>(IsZero->getOperand(0)) : nullptr;
  if (!Value)
    return std::nullopt;
  auto *Counter = dyn_cast<PHINode>(Value);
  if (!Counter && match(Value, m_Add(m_Value(), m_AllOnes()))) {
    Counter = dyn_cast<PHINode>(Value->getOperand(0));
    if (Counter && !Counter->hasOneUse())
      return std::nullopt;
  }
  if (!Counter || Counter->getParent() != L.getHeader())
    return std::nullopt;
  auto *Next = dyn_cast<BinaryOperator>(
      Counter->getIncomingValueForBlock(L.getLoopLatch()));
  if (!Next || !match(Next, m_Add(m_Specific(Counter), m_AllOnes())) ||
      (Next != Value && (Value != Counter || !Next->hasOneUse())))
    return std::nullopt;
  return CountDown{Counter, Value, Next, IsZero};
}

namespace {

/// What one iteration leaves to the next are sums that may be reordered, and
/// nothing else is known of the iterations when the loop has ended.
bool leavesSumsOnly(const Loop &L, const PHINode &Counter) {
  SmallPtrSet<const Instruction *, 4> Sums;
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (&Phi == &Counter)
      continue;
    RecurrenceDescriptor Sum;
    if (!RecurrenceDescriptor::isReductionPHI(&Phi, const_cast<Loop *>(&L),
                                              Sum) ||
        Sum.getExactFPMathInst())
      return false;
    Sums.insert(Sum.getLoopExitInstr());
  }
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      for (const User *U : I.users())
        if (!L.contains(cast<Instruction>(U)) && !Sums.contains(&I))
          return false;
  return true;
}

/// No iteration accesses memory that another one writes.
bool areIndependent(Loop &L, LoopAccessInfoManager &Accesses,
                    ScalarEvolution &SE) {
  const LoopAccessInfo &Info = Accesses.getInfo(L);
  if (!Info.canVectorizeMemory() || Info.getRuntimePointerChecking()->Need ||
      !Info.getPSE().getPredicate().isAlwaysTrue() ||
      Info.hasStoreStoreDependenceInvolvingLoopInvariantAddress() ||
      Info.hasLoadStoreDependenceInvolvingLoopInvariantAddress())
    return false;
  for (const StoreInst *Store : Info.getStoresToInvariantAddresses())
    if (Store)
      return false;
  const MemoryDepChecker &Checker = Info.getDepChecker();
  const auto *Found = Checker.getDependences();
  if (!Found)
    return false;
  // "Forward" is said of a[i] += 1 as well as of a[i] = a[i + 1].
  return all_of(*Found, [&](const MemoryDepChecker::Dependence &D) {
    Instruction *From = D.getSource(Checker), *To = D.getDestination(Checker);
    std::optional<LoopAccess> A = accessOf(*From, SE), B = accessOf(*To, SE);
    return A && B && A->Address == B->Address &&
           getLoadStoreType(From) == getLoadStoreType(To);
  });
}

/// Memory is touched by plain loads and stores alone, stores go to a place of
/// their own in each iteration, and every iteration that begins ends.
bool isSimple(const Loop &L, ScalarEvolution &SE) {
  auto isPlain = [&](const Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple();
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      std::optional<LoopAccess> A = accessOf(I, SE);
      return Store->isSimple() && A && isElsewhereEachTime(*A, L, SE);
    }
    return !I.mayReadOrWriteMemory() &&
           isGuaranteedToTransferExecutionToSuccessor(&I);
  };
  return all_of(L.blocks(),
                [&](const BasicBlock *B) { return all_of(*B, isPlain); });
}

void turnAround(const Loop &L, const CountDown &C) {
  BasicBlock *Before = L.getLoopPreheader();
  Type *Ty = C.Counter->getType();
  Value *Start = C.Counter->getIncomingValueForBlock(Before);
  C.Counter->setIncomingValueForBlock(Before, ConstantInt::get(Ty, 0));
  C.Next->setOperand(1, ConstantInt::get(Ty, 1));
  C.Next->dropPoisonGeneratingFlags();
  if (C.Value == C.Counter) {
    C.IsZero->setOperand(1, Start);
    return;
  }
  // The phi itself is what the loop reads now, and Last + 1 comes behind.
  C.Value->replaceUsesWithIf(C.Counter, [&](const Use &U) {
    return U.getUser() != C.Counter && U.getUser() != C.IsZero;
  });
  C.IsZero->setOperand(1, Start);
}

} // namespace

std::optional<CountDown> findFreeCountDown(const Loop &L, ScalarEvolution &SE) {
  std::optional<CountDown> Down = findCountDown(L);
  return Down && isSimple(L, SE) && leavesSumsOnly(L, *Down->Counter)
             ? Down
             : std::nullopt;
}

std::optional<CountDown> mayCountUp(Loop &L, LoopAccessInfoManager &Accesses,
                                    ScalarEvolution &SE) {
  std::optional<CountDown> Down = findFreeCountDown(L, SE);
  return Down && areIndependent(L, Accesses, SE) ? Down : std::nullopt;
}

void readOtherWay(const Loop &L, const CountDown &C, Value *Up) {
  SmallVector<Use *, 8> Readers;
  for (Use &U : C.Value->uses())
    if (U.getUser() != C.Counter && U.getUser() != C.Next &&
        U.getUser() != C.IsZero)
      Readers.push_back(&U);
  BasicBlock *Before = L.getLoopPreheader();
  IRBuilder<> B(Before->getTerminator());
  Value *Last = C.Counter->getIncomingValueForBlock(Before);
  if (C.Value != C.Counter)
    Last = B.CreateAdd(Last, Constant::getAllOnesValue(Last->getType()));
  Type *Ty = Last->getType();
  Value *First = B.CreateSelect(Up, Constant::getNullValue(Ty), Last);
  Value *Step = B.CreateSelect(Up, ConstantInt::get(Ty, 1),
                               Constant::getAllOnesValue(Ty));
  B.SetInsertPoint(C.Counter);
  PHINode *Place = B.CreatePHI(Ty, 2, C.Value->getName() + ".place");
  B.SetInsertPoint(L.getLoopLatch()->getTerminator());
  Place->addIncoming(First, Before);
  Place->addIncoming(B.CreateAdd(Place, Step), L.getLoopLatch());
  for (Use *U : Readers)
    U->set(Place);
}

PreservedAnalyses CountUpPass::run(Function &F, FunctionAnalysisManager &FAM) {
  auto &Loops = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &Accesses = FAM.getResult<LoopAccessAnalysis>(F);
  bool Changed = false;
  for (Loop *L : Loops.getLoopsInPreorder()) {
    std::optional<CountDown> Down =
        L->isInnermost() ? mayCountUp(*L, Accesses, SE) : std::nullopt;
    if (!Down)
      continue;
    turnAround(*L, *Down);
    SE.forgetLoop(L);
    Accesses.clear();
    Changed = true;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace adze
