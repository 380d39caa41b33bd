// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   do {                                       old = atomicrmw f p, v
//     seen = old;
//     old = cmpxchg p, seen, f(seen, v);
//   } while (old != seen);
//
// A loop of a kernel that tries until nobody else has changed a float meanwhile
// is an atomic sum, or the larger or smaller of two numbers, whatever it
// expects first. f may also be a condition to try at all:
//
//   while (old < v) {                          old = atomicrmw fmax p, v
//     seen = old;
//     old = cmpxchg p, seen, v;
//     if (old == seen) break;
//   }
//
// So are the functions that CUDA has not, or did not have before sm_60.
#include "Prepare/Stages.h"
#include "adze/DeviceTarget.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

using Op = AtomicRMWInst::BinOp;

Value *bits(Value *V) {
  while (auto *Cast = dyn_cast<BitCastInst>(V))
    V = Cast->getOperand(0);
  return V;
}

/// What the loop does to the float in memory, and with what.
struct Change {
  Op Is = AtomicRMWInst::BAD_BINOP;
  Value *By = nullptr;
};

class RetryLoop {
public:
  RetryLoop(AtomicCmpXchgInst &Exchange, Loop &L, const DominatorTree &DT)
      : Exchange(Exchange), L(L), DT(DT),
        Expected(bits(Exchange.getCompareOperand())) {}

  bool lower();

private:
  bool hasNoOtherEffect() const;
  bool findExits();
  bool isOld(const Value *V, unsigned Depth = 0) const;
  bool isSeenAnew() const;
  bool isExpected(const Value *V) const {
    return bits(const_cast<Value *>(V)) == Expected;
  }
  std::optional<bool> saysSuccess(const Value &Condition) const;
  Change change() const;
  Op kindOfAttempt(Value *By) const;
  Op kindOfCompare(const Value &Condition, bool Holds, const Value *By,
                   function_ref<bool(const Value *)> IsOld) const;
  Op kindOfGuard(const Value *By) const;
  bool givesOldAlone() const;
  bool isInvariant(Value *V, bool &Changed) const {
    return L.makeLoopInvariant(V, Changed);
  }
  void replace(const Change &By);

  AtomicCmpXchgInst &Exchange;
  Loop &L;
  const DominatorTree &DT;
  Value *Expected;
  /// Exits: where it has succeeded, and where there is nothing to do.
  BranchInst *Success = nullptr, *Early = nullptr;
};

/// The old content, as the exchange has seen it.
bool RetryLoop::isOld(const Value *V, unsigned Depth) const {
  constexpr unsigned MaxDepth = 6;
  V = bits(const_cast<Value *>(V));
  if (V == Expected)
    return true;
  if (auto *Part = dyn_cast<ExtractValueInst>(V))
    return Part->getAggregateOperand() == &Exchange &&
           Part->getIndices().front() == 0;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || Depth == MaxDepth)
    return false;
  auto all = [&](auto Values) {
    return all_of(Values,
                  [&](const Value *Of) { return isOld(Of, Depth + 1); });
  };
  if (auto *Choice = dyn_cast<SelectInst>(I))
    return isOld(Choice->getTrueValue(), Depth + 1) &&
           isOld(Choice->getFalseValue(), Depth + 1);
  auto *Phi = dyn_cast<PHINode>(I);
  return Phi && Phi->getParent() != L.getHeader() &&
         all(Phi->incoming_values());
}

/// What it expects is what memory has held since the attempt before. Who
/// expects the same each time waits for another thread.
bool RetryLoop::isSeenAnew() const {
  if (auto *Load = dyn_cast<LoadInst>(Expected))
    return L.contains(Load) &&
           Load->getPointerOperand() == Exchange.getPointerOperand();
  // A part of what one exchange or another has returned, or a merged part.
  auto *Part = dyn_cast<ExtractValueInst>(Expected);
  auto *Phi = dyn_cast<PHINode>(Part ? Part->getAggregateOperand() : Expected);
  if (!Phi || Phi->getParent() != L.getHeader())
    return false;
  if (Part)
    return Part->getIndices().front() == 0 &&
           Phi->getIncomingValueForBlock(L.getLoopLatch()) == &Exchange;
  const Value *Next = bits(Phi->getIncomingValueForBlock(L.getLoopLatch()));
  SmallVector<const Value *, 3> Ways{Next};
  if (auto *Merged = dyn_cast<PHINode>(Next))
    Ways.assign(Merged->value_op_begin(), Merged->value_op_end());
  else if (auto *Choice = dyn_cast<SelectInst>(Next))
    Ways = {Choice->getTrueValue(), Choice->getFalseValue()};
  return isOld(Next) && any_of(Ways, [&](const Value *V) {
           return isa<ExtractValueInst>(bits(const_cast<Value *>(V)));
         });
}

bool RetryLoop::hasNoOtherEffect() const {
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      if (&I == &Exchange)
        continue;
      auto *Load = dyn_cast<LoadInst>(&I);
      const bool IsRead =
          Load && Load->getPointerOperand() == Exchange.getPointerOperand();
      auto *Call = dyn_cast<CallBase>(&I);
      if (!IsRead &&
          (I.mayHaveSideEffects() ||
           (Call && !isa<IntrinsicInst>(Call) && !lookupKnown(*Call))))
        return false;
    }
  return true;
}

/// Whether \p Condition means that the exchange has succeeded, or not.
std::optional<bool> RetryLoop::saysSuccess(const Value &Condition) const {
  Value *Of = nullptr;
  if (match(&Condition, m_Not(m_Value(Of)))) {
    std::optional<bool> Not = saysSuccess(*Of);
    return Not ? std::optional(!*Not) : std::nullopt;
  }
  if (auto *Part = dyn_cast<ExtractValueInst>(&Condition))
    return Part->getAggregateOperand() == &Exchange &&
                   Part->getIndices().front() == 1
               ? std::optional(true)
               : std::nullopt;
  auto *Compare = dyn_cast<ICmpInst>(&Condition);
  if (!Compare || !Compare->isEquality())
    return std::nullopt;
  const Value *A = Compare->getOperand(0), *B = Compare->getOperand(1);
  if (isExpected(B))
    std::swap(A, B);
  if (!isExpected(A) || isExpected(B) || !isOld(B))
    return std::nullopt;
  return Compare->getPredicate() == ICmpInst::ICMP_EQ;
}

bool RetryLoop::findExits() {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (BasicBlock *B : Exiting) {
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    if (!Br || !Br->isConditional())
      return false;
    const bool ExitsIfTrue = !L.contains(Br->getSuccessor(0));
    if (ExitsIfTrue == !L.contains(Br->getSuccessor(1)))
      return false;
    std::optional<bool> Says = saysSuccess(*Br->getCondition());
    BranchInst *&Exit = Says ? Success : Early;
    if (Exit || (Says && *Says != ExitsIfTrue))
      return false;
    Exit = Br;
  }
  // It does not go on after it has succeeded.
  return Success && DT.dominates(&Exchange, Success) &&
         DT.dominates(Success->getParent(), L.getLoopLatch());
}

Op orderOf(CmpInst::Predicate Is) {
  switch (Is) {
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGT:
  case CmpInst::FCMP_UGE:
    return AtomicRMWInst::FMax;
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_ULT:
  case CmpInst::FCMP_ULE:
    return AtomicRMWInst::FMin;
  default:
    return AtomicRMWInst::BAD_BINOP;
  }
}

/// FMax if \p Condition, which \p Holds, means that \p By is more than what
/// \p IsOld, FMin if less.
Op RetryLoop::kindOfCompare(const Value &Condition, bool Holds, const Value *By,
                            function_ref<bool(const Value *)> IsOld) const {
  auto *Compare = dyn_cast<FCmpInst>(&Condition);
  if (!Compare)
    return AtomicRMWInst::BAD_BINOP;
  CmpInst::Predicate Is = Compare->getPredicate();
  const Value *A = Compare->getOperand(0), *B = Compare->getOperand(1);
  if (!Holds)
    Is = CmpInst::getInversePredicate(Is);
  if (B == By) {
    std::swap(A, B);
    Is = CmpInst::getSwappedPredicate(Is);
  }
  return A == By && IsOld(B) ? orderOf(Is) : AtomicRMWInst::BAD_BINOP;
}

/// The same of the condition on which the loop is entered, of what it expects
/// first.
Op RetryLoop::kindOfGuard(const Value *By) const {
  const BasicBlock *Entry = L.getLoopPreheader();
  auto *First = dyn_cast<PHINode>(Expected);
  if (!First || First->getParent() != L.getHeader())
    return AtomicRMWInst::BAD_BINOP;
  Value *Initial = bits(First->getIncomingValueForBlock(Entry));
  const BasicBlock *Above = Entry->getSinglePredecessor();
  auto *Br = Above ? dyn_cast<BranchInst>(Above->getTerminator()) : nullptr;
  if (!Br || !Br->isConditional() || Br->getSuccessor(0) == Br->getSuccessor(1))
    return AtomicRMWInst::BAD_BINOP;
  return kindOfCompare(
      *Br->getCondition(), Br->getSuccessor(0) == Entry, By,
      [&](const Value *V) { return bits(const_cast<Value *>(V)) == Initial; });
}

/// \p By is put there: on the condition that it is more, or less.
Op RetryLoop::kindOfAttempt(Value *By) const {
  const bool GoesOnIfTrue = L.contains(Early->getSuccessor(0));
  auto isExpectedHere = [&](const Value *V) { return isExpected(V); };
  auto isSeen = [&](const Value *V) { return isOld(V) && !isExpected(V); };
  // Before it tries, each time.
  if (DT.dominates(Early, &Exchange))
    return kindOfCompare(*Early->getCondition(), GoesOnIfTrue, By,
                         isExpectedHere);
  // After it has failed, and before the first time.
  auto *First = dyn_cast<PHINode>(Expected);
  if (!First || First->getParent() != L.getHeader() ||
      !DT.dominates(Success, Early) ||
      !DT.dominates(Early->getParent(), L.getLoopLatch()) ||
      !isOld(First->getIncomingValueForBlock(L.getLoopLatch())))
    return AtomicRMWInst::BAD_BINOP;
  const Op Is = kindOfCompare(*Early->getCondition(), GoesOnIfTrue, By, isSeen);
  return Is == kindOfGuard(By) ? Is : AtomicRMWInst::BAD_BINOP;
}

Op kindOfCall(const CallInst &Call) {
  const Function *Callee = Call.getCalledFunction();
  switch (Callee ? Callee->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::maxnum:
  case Intrinsic::maximum:
    return AtomicRMWInst::FMax;
  case Intrinsic::minnum:
  case Intrinsic::minimum:
    return AtomicRMWInst::FMin;
  default:
    break;
  }
  const KnownFunction *Known = Callee ? lookupKnown(Call) : nullptr;
  return StringSwitch<Op>(Known && Known->Family ? Known->Family : "")
      .Case("fmax", AtomicRMWInst::FMax)
      .Case("fmin", AtomicRMWInst::FMin)
      .Default(AtomicRMWInst::BAD_BINOP);
}

/// What the loop does, if it does not end early, or nothing.
Change RetryLoop::change() const {
  Value *New = bits(Exchange.getNewValOperand());
  if (!New->getType()->isFloatTy() && !New->getType()->isDoubleTy())
    return {};
  if (Early)
    return {kindOfAttempt(New), New};
  auto *Last = dyn_cast<Instruction>(New);
  if (!Last || !L.contains(Last))
    return {};
  auto other = [&](unsigned A, unsigned B) -> Value * {
    return isExpected(Last->getOperand(A))   ? Last->getOperand(B)
           : isExpected(Last->getOperand(B)) ? Last->getOperand(A)
                                             : nullptr;
  };
  if (Last->getOpcode() == Instruction::FAdd)
    return {AtomicRMWInst::FAdd, other(0, 1)};
  if (Last->getOpcode() == Instruction::FSub && isExpected(Last->getOperand(0)))
    return {AtomicRMWInst::FSub, Last->getOperand(1)};
  if (auto *Call = dyn_cast<CallInst>(Last); Call && Call->arg_size() == 2)
    return {kindOfCall(*Call), other(0, 1)};
  auto *Choice = dyn_cast<SelectInst>(Last);
  if (Value *By = Choice ? other(1, 2) : nullptr) {
    const bool TakesBy = Choice->getTrueValue() == By;
    return {kindOfCompare(*Choice->getCondition(), TakesBy, By,
                          [&](const Value *V) { return isExpected(V); }),
            By};
  }
  return {};
}

/// What code behind the loop has of it is the old content.
bool RetryLoop::givesOldAlone() const {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      for (const User *U : I.users())
        if (!L.contains(cast<Instruction>(U)) && !isOld(&I))
          return false;
  return true;
}

void RetryLoop::replace(const Change &By) {
  BasicBlock *Entry = L.getLoopPreheader();
  IRBuilder<> B(Entry->getTerminator());
  AtomicRMWInst *Old = B.CreateAtomicRMW(
      By.Is, Exchange.getPointerOperand(), By.By, Exchange.getAlign(),
      AtomicOrdering::Monotonic, Exchange.getSyncScopeID());
  Old->setDebugLoc(Exchange.getDebugLoc());
  auto asOld = [&](Value *V) -> Value * {
    auto *I = dyn_cast<Instruction>(V);
    return I && L.contains(I) ? B.CreateBitCast(Old, V->getType()) : V;
  };
  auto exitOf = [&](BranchInst *Br) {
    return Br->getSuccessor(L.contains(Br->getSuccessor(0)) ? 1 : 0);
  };
  auto enter = [&](BasicBlock *Exit, BranchInst *By) {
    for (PHINode &Phi : Exit->phis())
      Phi.addIncoming(asOld(Phi.getIncomingValueForBlock(By->getParent())),
                      Entry);
  };
  BasicBlock *Behind = exitOf(Success);
  if (!Early) {
    enter(Behind, Success);
    B.CreateBr(Behind);
  } else {
    Value *Replaces = By.Is == AtomicRMWInst::FMax
                          ? B.CreateFCmpOGT(By.By, Old)
                          : B.CreateFCmpOLT(By.By, Old);
    BasicBlock *Other = exitOf(Early);
    if (Other != Behind) {
      enter(Behind, Success);
      enter(Other, Early);
      B.CreateCondBr(Replaces, Behind, Other);
    } else {
      for (PHINode &Phi : Behind->phis()) {
        Value *If = asOld(Phi.getIncomingValueForBlock(Success->getParent()));
        Value *Else = asOld(Phi.getIncomingValueForBlock(Early->getParent()));
        Phi.addIncoming(If == Else ? If : B.CreateSelect(Replaces, If, Else),
                        Entry);
      }
      B.CreateBr(Behind);
      RecursivelyDeleteTriviallyDeadInstructions(Replaces);
    }
  }
  auto isBehind = [&](const Use &U) {
    auto *Phi = dyn_cast<PHINode>(U.getUser());
    return !L.contains(Phi ? Phi->getIncomingBlock(U)
                           : cast<Instruction>(U.getUser())->getParent());
  };
  B.SetInsertPoint(Old->getNextNode());
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (any_of(I.uses(), isBehind))
        I.replaceUsesWithIf(asOld(&I), isBehind);
  Entry->getTerminator()->eraseFromParent();
  L.getHeader()->removePredecessor(Entry, /*KeepOneInputPHIs=*/true);
}

bool RetryLoop::lower() {
  if (!L.isInnermost() || !L.isLoopSimplifyForm() || !isSeenAnew() ||
      !hasNoOtherEffect() || !findExits() || !givesOldAlone())
    return false;
  const Change By = change();
  bool Changed = false;
  if (By.Is == AtomicRMWInst::BAD_BINOP || !By.By || isOld(By.By) ||
      !isInvariant(Exchange.getPointerOperand(), Changed) ||
      !isInvariant(By.By, Changed))
    return false;
  replace(By);
  return true;
}

bool lowerOne(Function &F) {
  if (none_of(instructions(F),
              [](const Instruction &I) { return isa<AtomicCmpXchgInst>(I); }))
    return false;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Instruction &I : instructions(F)) {
    auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
    Loop *L = Exchange ? LI.getLoopFor(Exchange->getParent()) : nullptr;
    if (!L)
      continue;
    simplifyLoop(L, &DT, &LI, nullptr, nullptr, nullptr,
                 /*PreserveLCSSA=*/false);
    if (RetryLoop(*Exchange, *L, DT).lower())
      return true;
  }
  return false;
}

/// \p V, the bits of a float, is compared, or not used at all.
bool isComparedAlone(const Value &V) {
  return all_of(V.users(), [](const User *U) {
    return isa<CmpInst>(U) || (isa<BitCastInst>(U) && isComparedAlone(*U));
  });
}

/// atomicCAS(p, 0, 0) reads.
void lowerRead(AtomicCmpXchgInst &Exchange) {
  Value *Expected = Exchange.getCompareOperand();
  if (!isa<Constant>(Expected) || Expected != Exchange.getNewValOperand() ||
      !all_of(Exchange.users(), [](const User *U) {
        auto *Part = dyn_cast<ExtractValueInst>(U);
        return Part && Part->getIndices().front() == 0 &&
               isComparedAlone(*Part);
      }))
    return;
  IRBuilder<> B(&Exchange);
  LoadInst *Load = B.CreateAlignedLoad(
      Expected->getType(), Exchange.getPointerOperand(), Exchange.getAlign());
  Load->setAtomic(AtomicOrdering::Monotonic, Exchange.getSyncScopeID());
  for (User *U : make_early_inc_range(Exchange.users())) {
    U->replaceAllUsesWith(Load);
    cast<Instruction>(U)->eraseFromParent();
  }
  Exchange.eraseFromParent();
  if (Load->use_empty())
    Load->eraseFromParent();
}

} // namespace

void lowerRetries(Function &F) {
  if (!isDevice(*F.getParent()))
    return;
  while (lowerOne(F))
    removeUnreachableBlocks(F);
  SmallVector<AtomicCmpXchgInst *, 4> Left;
  for (Instruction &I : instructions(F))
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      Left.push_back(Exchange);
  for (AtomicCmpXchgInst *Exchange : Left)
    lowerRead(*Exchange);
}

} // namespace adze
