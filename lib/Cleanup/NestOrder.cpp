// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why rows may be taken in any order. What a nest does to memory is to load, to
// store, and to add: a sum is a load, additions that may be reordered, and a
// store to where the load read.
//
//   * Sums are aligned elements of one size: two of them are to the same
//     element or to different ones, and nothing is stored to an element between
//     its load and its store. So their order changes rounding only.
//   * Where something is stored, and something else accessed that is no sum,
//     or one of both is no sum: alias analysis knows that they are apart, or
//     the bytes that either accesses while the nest runs are compared in front
//     of it, or both move by the same step, which is as far as they reach in
//     one iteration (compared in front of the nest, too).
//   * Nothing else is handed on from one iteration to the next.
#include "NestOrder.h"
#include "DistributeSums.h"
#include "LoopOrder.h"
#include "Loops/AccessRanges.h"
#include "MemorySums.h"
#include "RangeTests.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {

namespace {

/// Accesses of one nest, and tests in front of it.
constexpr unsigned MaxAccesses = 96, MaxTests = 16;

/// What turning needs to know of loops, beside their nest.
struct Facts {
  LoopInfo &LI;
  ScalarEvolution &SE;
  LoopAccessInfoManager &Accesses;
  AccessRanges &Ranges;
  AAResults &AA;
};

class NestOrder {
public:
  NestOrder(Loop &Root, Facts &K)
      : Root(Root), K(K), SE(K.SE), Alias(K.AA),
        DL(Root.getHeader()->getModule()->getDataLayout()) {
    Alias.enableCrossIterationMode();
  }

  /// Whether it may be turned, if the tests say so at run time, and is worth
  /// it.
  bool find();
  void apply();

private:
  bool findLoops();
  bool collect();
  bool areApart(const Instruction &Store, const Instruction &Other);
  bool areRowsApart(const LoopAccess &A, const LoopAccess &B);
  bool areRowsApart(const LoopAccess &A, const LoopAccess &B, const Loop &L);
  bool testNotLess(const SCEV *Step, const SCEV *Reach);
  bool testApart(const LoopAccess &A, const LoopAccess &B);
  std::optional<AddressSpan> rangeOf(const LoopAccess &A);
  bool canExpand();
  Value *condition(Instruction *At);

  Loop &Root;
  Facts &K;
  ScalarEvolution &SE;
  BatchAAResults Alias;
  const DataLayout &DL;
  SmallVector<std::pair<Loop *, CountDown>, 4> Turned;
  SmallVector<const Instruction *, 8> Sums;
  SmallVector<const Instruction *, 16> Others;
  SmallVector<std::pair<AddressSpan, AddressSpan>, 8> Apart;
  SmallVector<std::pair<const SCEV *, const SCEV *>, 4> NotLess;
};

/// What \p Phi, of the header of \p L, has grown by is a sum of numbers that no
/// order of iterations changes but for rounding.
bool isSumOfRows(PHINode &Phi, const Loop &L) {
  auto *Last =
      dyn_cast<Instruction>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  if (!Last || !Phi.getType()->isFloatingPointTy())
    return false;
  SmallSetVector<Instruction *, 16> Parts;
  Parts.insert(&Phi);
  for (unsigned I = 0; I != Parts.size(); ++I)
    for (User *U : Parts[I]->users()) {
      auto *Next = cast<Instruction>(U);
      bool Adds = Next->getOpcode() == Instruction::FAdd;
      if (!L.contains(Next)) {
        if (Parts[I] != Last)
          return false;
      } else if (isa<PHINode>(Next) ||
                 ((Adds || (Next->getOpcode() == Instruction::FSub &&
                            Next->getOperand(1) != Parts[I])) &&
                  Next->hasAllowReassoc())) {
        Parts.insert(Next);
      } else {
        return false;
      }
    }
  auto isPart = [&](Value *V) {
    return isa<Instruction>(V) && Parts.contains(cast<Instruction>(V));
  };
  return Parts.contains(Last) && all_of(Parts, [&](Instruction *Part) {
           if (Part == &Phi)
             return true;
           return isa<PHINode>(Part) ? all_of(Part->operands(), isPart)
                                     : !isPart(Part->getOperand(0)) ||
                                           !isPart(Part->getOperand(1));
         });
}

/// Nothing but the counter and sums is handed on by \p L, or read behind it.
bool handsOnSums(const Loop &L, const PHINode &Counter) {
  SmallPtrSet<const Value *, 4> Results;
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (&Phi == &Counter)
      continue;
    if (!isSumOfRows(Phi, L))
      return false;
    Results.insert(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  }
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      if (!Results.contains(&I) && any_of(I.users(), [&](const User *U) {
            return !L.contains(cast<Instruction>(U));
          }))
        return false;
  return true;
}

/// \p L, an innermost loop, does not go down.
bool goesUp(Loop &L, Facts &K) {
  if (findCountDown(L))
    return mayCountUp(L, K.Accesses, K.SE).has_value() ||
           willBeGathered(L, K.SE, K.Ranges, K.AA);
  return none_of(L.getHeader()->phis(), [&](PHINode &Phi) {
    const SCEVAddRecExpr *Advance = K.SE.isSCEVable(Phi.getType())
                                        ? advanceIn(K.SE.getSCEV(&Phi), L)
                                        : nullptr;
    return Advance && K.SE.isKnownNegative(Advance->getStepRecurrence(K.SE));
  });
}

/// The loops to turn: those that others stand in.
bool NestOrder::findLoops() {
  for (Loop *L : Root.getLoopsInPreorder()) {
    if (L->isInnermost()) {
      if (!goesUp(*L, K))
        return false;
      continue;
    }
    std::optional<CountDown> Down = findCountDown(*L);
    if (!Down || !handsOnSums(*L, *Down->Counter))
      return false;
    Turned.push_back({L, *Down});
  }
  return true;
}

bool NestOrder::collect() {
  SmallPtrSet<const Instruction *, 16> InSums;
  Type *Element = nullptr;
  for (BasicBlock *B : Root.blocks())
    for (Instruction &I : *B) {
      if (isa<DbgInfoIntrinsic>(I))
        continue;
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!Store && !isa<LoadInst>(I)) {
        if (I.mayReadOrWriteMemory() ||
            !isGuaranteedToTransferExecutionToSuccessor(&I))
          return false;
        continue;
      }
      if (Store ? !Store->isSimple() : !cast<LoadInst>(I).isSimple())
        return false;
      Others.push_back(&I);
      std::optional<MemorySum> S = Store ? sumOf(*Store, SE) : std::nullopt;
      if (!S || !S->Old->comesBefore(Store) || !isAligned(*S) ||
          !isUndisturbed(*S, SE, Alias))
        continue;
      Element = Element ? Element : S->Old->getType();
      if (S->Old->getType() != Element)
        continue;
      InSums.insert({S->Old, S->New});
      Sums.push_back(S->New);
    }
  if (Others.size() > MaxAccesses)
    return false;
  erase_if(Others, [&](const Instruction *I) { return InSums.contains(I); });
  return true;
}

std::optional<AddressSpan> NestOrder::rangeOf(const LoopAccess &A) {
  std::optional<AddressEnds> Ends = K.Ranges.testedEndsIn(Root, A);
  if (!Ends || !SE.isLoopInvariant(Ends->First, &Root) ||
      !SE.isLoopInvariant(Ends->Last, &Root))
    return std::nullopt;
  Type *Index = DL.getIndexType(getLoadStorePointerOperand(A.I)->getType());
  return AddressSpan{Ends->First,
                     SE.getAddExpr(Ends->Last, SE.getConstant(Index, A.Size))};
}

/// Has it tested that \p A and \p B have no byte in common.
bool NestOrder::testApart(const LoopAccess &A, const LoopAccess &B) {
  std::optional<AddressSpan> OfA = rangeOf(A), OfB = rangeOf(B);
  if (!OfA || !OfB)
    return false;
  for (auto &[Known, Other] : Apart)
    if (Other.First == OfB->First && Other.End == OfB->End &&
        join(Known, *OfA, SE))
      return true;
  Apart.push_back({*OfA, *OfB});
  return true;
}

/// Has it tested that \p Step is \p Reach at least, in either direction.
bool NestOrder::testNotLess(const SCEV *Step, const SCEV *Reach) {
  const SCEV *Far = SE.getSMaxExpr(Step, SE.getNegativeSCEV(Step));
  if (!SE.isLoopInvariant(Far, &Root) || !SE.isLoopInvariant(Reach, &Root) ||
      SE.isKnownPredicate(ICmpInst::ICMP_SLT, Far, Reach))
    return false;
  std::pair Test(Far, Reach);
  if (!SE.isKnownPredicate(ICmpInst::ICMP_SGE, Far, Reach) &&
      !is_contained(NotLess, Test))
    NotLess.push_back(Test);
  return true;
}

/// No iteration of \p L accesses by \p A what another one does by \p B, if the
/// tests say so.
bool NestOrder::areRowsApart(const LoopAccess &A, const LoopAccess &B,
                             const Loop &L) {
  auto endsOf = [&](const LoopAccess &X) {
    const Loop *Within = K.LI.getLoopFor(X.I->getParent());
    while (Within != &L && Within->getParentLoop() != &L)
      Within = Within->getParentLoop();
    return K.Ranges.endsIn(Within == &L ? nullptr : Within, X);
  };
  std::optional<AddressEnds> InA = endsOf(A), InB = endsOf(B);
  if (!InA || !InB)
    return false;
  const SCEVAddRecExpr *Advance = advanceIn(InA->First, L);
  if (!Advance ||
      !SE.isLoopInvariant(SE.getMinusSCEV(InA->Last, InA->First), &L))
    return false;
  // As far as the last byte of one from the first of the other.
  auto reach = [&](const SCEV *Last, uint64_t Size, const SCEV *First) {
    const SCEV *Reach = SE.getMinusSCEV(Last, First);
    return isa<SCEVCouldNotCompute>(Reach)
               ? Reach
               : SE.getAddExpr(Reach, SE.getConstant(Reach->getType(), Size));
  };
  const SCEV *Step = Advance->getStepRecurrence(SE);
  // A row away, give or take a number: no need to test that they meet.
  const SCEV *Apart = SE.getMinusSCEV(InB->First, InA->First);
  if (!isa<SCEVConstant>(Step) &&
      (isa<SCEVCouldNotCompute>(Apart) || distance(Step, Apart, SE) ||
       distance(SE.getNegativeSCEV(Step), Apart, SE)))
    return false;
  const SCEV *OfA = reach(InA->Last, A.Size, InB->First);
  const SCEV *OfB = reach(InB->Last, B.Size, InA->First);
  return !isa<SCEVCouldNotCompute>(OfA) && !isa<SCEVCouldNotCompute>(OfB) &&
         testNotLess(Step, OfA) && testNotLess(Step, OfB);
}

bool NestOrder::areRowsApart(const LoopAccess &A, const LoopAccess &B) {
  return all_of(Turned, [&](const auto &T) {
    const Loop &L = *T.first;
    return !L.contains(A.I) || !L.contains(B.I) || areRowsApart(A, B, L);
  });
}

bool NestOrder::areApart(const Instruction &Store, const Instruction &Other) {
  auto all = [](const Instruction &I) {
    return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&I),
                                            I.getAAMetadata());
  };
  if (Alias.alias(all(Store), all(Other)) == AliasResult::NoAlias)
    return true;
  std::optional<LoopAccess> A = accessOf(Store, SE), B = accessOf(Other, SE);
  if (!A || !B || A->Address->getType() != B->Address->getType())
    return false;
  bool Apart = SE.getPointerBase(A->Address) == SE.getPointerBase(B->Address)
                   ? areRowsApart(*A, *B)
                   : testApart(*A, *B);
  return Apart && this->Apart.size() + NotLess.size() <= MaxTests;
}

bool NestOrder::canExpand() {
  SCEVExpander Expander(SE, DL, "nest");
  const Instruction *At = Root.getLoopPreheader()->getTerminator();
  auto isSafe = [&](const SCEV *S) { return Expander.isSafeToExpandAt(S, At); };
  return all_of(Apart,
                [&](const auto &T) {
                  return isSafe(T.first.First) && isSafe(T.first.End) &&
                         isSafe(T.second.First) && isSafe(T.second.End);
                }) &&
         all_of(NotLess, [&](const auto &T) {
           return isSafe(T.first) && isSafe(T.second);
         });
}

bool NestOrder::find() {
  if (!collect() || !findLoops())
    return false;
  auto isApart = [&](const Instruction *Store) {
    return !isa<StoreInst>(Store) || all_of(Others, [&](const Instruction *I) {
      return areApart(*Store, *I);
    });
  };
  return all_of(Sums, isApart) && all_of(Others, isApart) && canExpand();
}

/// Whether the order of rows is free.
Value *NestOrder::condition(Instruction *At) {
  SCEVExpander Expander(SE, DL, "nest");
  IRBuilder<> B(At);
  auto expand = [&](const SCEV *S) {
    return Expander.expandCodeFor(S, S->getType(), At);
  };
  // Where a loop within never runs, what it accesses may be no number.
  Value *Good = B.getTrue();
  auto require = [&](Value *Test) {
    Good = B.CreateAnd(Good, B.CreateFreeze(Test));
  };
  for (const auto &[One, Two] : Apart) {
    Value *Behind = B.CreateICmpUGE(expand(One.First), expand(Two.End));
    Value *Before = B.CreateICmpUGE(expand(Two.First), expand(One.End));
    require(B.CreateOr(Behind, Before));
  }
  for (const auto &[Step, Reach] : NotLess)
    require(B.CreateICmpSGE(expand(Step), expand(Reach)));
  return Good;
}

void NestOrder::apply() {
  Instruction *At = Root.getLoopPreheader()->getTerminator();
  Value *Good = condition(At);
  // Were it known that rows ascend, LLVM would compare what all of them access
  // with what another array's rows do, and rows next to each other meet.
  if (isa<Constant>(Good))
    Good = new FreezeInst(Good, "up", At->getIterator());
  for (auto &[L, Down] : Turned) {
    readOtherWay(*L, Down, Good);
    SE.forgetLoop(L);
  }
}

} // namespace

PreservedAnalyses TurnNestsPass::run(Function &F,
                                     FunctionAnalysisManager &FAM) {
  if (F.hasOptSize() || F.hasOptNone())
    return PreservedAnalyses::all();
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  AccessRanges Ranges(SE, LI, FAM.getResult<DominatorTreeAnalysis>(F));
  Facts K{LI, SE, FAM.getResult<LoopAccessAnalysis>(F), Ranges,
          FAM.getResult<AAManager>(F)};
  const Loop *Done = nullptr;
  bool Changed = false;
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (L->isInnermost() || (Done && Done->contains(L)))
      continue;
    NestOrder Nest(*L, K);
    if (!Nest.find())
      continue;
    Nest.apply();
    K.Accesses.clear();
    Ranges.forget();
    Done = L;
    Changed = true;
  }
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  return Kept;
}

} // namespace adze
