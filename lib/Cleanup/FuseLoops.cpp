// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why it is right. What the two loops access is plain loads and stores. Of two
// of these, one of each loop and at least one a store, it is known that they
// never meet, or that they meet where the first loop's iteration is a constant
// ahead of the second loop's; the shift is the greatest such constant. So the
// first one has always been there before the second one. What stands between
// is done in front of all iterations of the first loop but those that go ahead,
// and meets none of them; or it only computes from what the first loop leaves,
// or frees memory, and is done behind.
#include "FuseLoops.h"
#include "CarryStores.h"
#include "Fusion.h"
#include "MemorySums.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {

namespace {

/// Of one function; instructions and accesses of both loops, so that variables
/// stay in registers; blocks between.
constexpr unsigned MaxFusions = 24, MaxInstructions = 240, MaxAccesses = 48;
constexpr unsigned MaxBlocks = 8;
/// It is worth it where one access of so many is of what the other loop has
/// just accessed.
constexpr unsigned MaxAccessesForOne = 8;
/// Iterations that stand alone, of one loop, and their instructions.
constexpr int64_t MaxAlone = 4;
constexpr unsigned MaxInstructionsAlone = 400;
/// Loops that are known to run less often are unrolled, or not worth it.
constexpr unsigned MinTrips = 16;

/// Whether vector code has an instruction for \p I.
bool mayBeVector(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return !Call || isa<DbgInfoIntrinsic>(I) || isCheapToRepeat(I) ||
         is_contained({Intrinsic::sqrt, Intrinsic::minnum, Intrinsic::maxnum},
                      Call->getIntrinsicID());
}

/// One block, entered and left in one place, after a number of iterations that
/// is known when it begins.
bool isPlain(const Loop &L, ScalarEvolution &SE) {
  if (L.getNumBlocks() != 1 || !L.getLoopPreheader() || !L.getExitBlock() ||
      !isa<BranchInst>(L.getHeader()->getTerminator()) ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return false;
  const unsigned Trips = SE.getSmallConstantTripCount(&L);
  return (Trips == 0 || Trips >= MinTrips) &&
         L.getHeader()->sizeWithoutDebug() <= MaxInstructions &&
         !findOptionMDForLoop(&L, "llvm.loop.vectorize.enable");
}

/// Whether \p Condition is known where \p B begins.
std::optional<bool> knownAt(const Value &Condition, const BasicBlock &B,
                            const DominatorTree &DT) {
  for (const DomTreeNode *Node = DT.getNode(&B); Node; Node = Node->getIDom()) {
    auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    if (!Branch || !Branch->isConditional() ||
        Branch->getCondition() != &Condition)
      continue;
    for (unsigned Way : {0u, 1u})
      if (DT.dominates(
              BasicBlockEdge(Node->getBlock(), Branch->getSuccessor(Way)), &B))
        return Way == 0;
  }
  return std::nullopt;
}

/// The number that a phi of a loop begins with is a choice by a condition that
/// is known when the loop is entered: there it is one of both.
bool resolveStarts(Loop &L, FusionFacts &K) {
  BasicBlock *Before = L.getLoopPreheader();
  bool Changed = false;
  for (PHINode &Phi : L.getHeader()->phis()) {
    const int Index = Phi.getBasicBlockIndex(Before);
    while (auto *Choice = dyn_cast<SelectInst>(Phi.getIncomingValue(Index))) {
      std::optional<bool> Is = knownAt(*Choice->getCondition(), *Before, K.DT);
      if (!Is)
        break;
      Phi.setIncomingValue(Index, *Is ? Choice->getTrueValue()
                                      : Choice->getFalseValue());
      Changed = true;
    }
  }
  if (Changed)
    K.SE.forgetLoop(&L);
  return Changed;
}

} // namespace

/// Where the way to the second loop leads behind \p B, whose condition is a
/// guard if it is not known in front of the first one.
BasicBlock *Fusion::follow(BasicBlock &B) {
  auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
  if (!Branch)
    return nullptr;
  if (Branch->isUnconditional())
    return Branch->getSuccessor(0);
  const BasicBlock &Front = *Pair.First->getLoopPreheader();
  Value *Condition = Branch->getCondition();
  if (std::optional<bool> Is = knownAt(*Condition, Front, K.DT))
    return Branch->getSuccessor(*Is ? 0 : 1);
  if (auto *I = dyn_cast<Instruction>(Condition))
    if (!K.DT.dominates(I, Front.getTerminator()))
      return nullptr;
  // The loop is behind a block of its own, and not where both ways meet.
  auto isOwn = [&](unsigned Way) {
    const BasicBlock *To = Branch->getSuccessor(Way);
    return To->getSinglePredecessor() && !isUnfused(*To);
  };
  const bool IsTrue = isOwn(0);
  if (IsTrue == isOwn(1))
    return nullptr;
  Pair.Between.Guards.push_back({Branch, IsTrue});
  return Branch->getSuccessor(IsTrue ? 0 : 1);
}

bool Fusion::findSecond() {
  const Loop *Parent = Pair.First->getParentLoop();
  BasicBlock *B = Pair.First->getExitBlock();
  for (unsigned I = 0; B && I != MaxBlocks; ++I) {
    Loop *L = K.LI.getLoopFor(B);
    if (L && L->getHeader() == B && L->getParentLoop() == Parent) {
      Pair.Second = L;
      return I != 0 && isPlain(*L, SE) &&
             L->getLoopPreheader() == Pair.Between.Blocks.back();
    }
    // Both are in one iteration of the loop around them.
    if (L != Parent || (Parent && B == Parent->getHeader()))
      return false;
    Pair.Between.Blocks.push_back(B);
    B = follow(*B);
  }
  return false;
}

/// What iterations of \p L hand on are counters, sums, or what the one before
/// has read: it may become vector code.
bool Fusion::handsOnLittle(Loop &L) {
  return all_of(L.getHeader()->phis(), [&](PHINode &Phi) {
    RecurrenceDescriptor Sum;
    return (SE.isSCEVable(Phi.getType()) &&
            advanceIn(SE.getSCEV(&Phi), L) != nullptr) ||
           RecurrenceDescriptor::isReductionPHI(&Phi, &L, Sum) ||
           RecurrenceDescriptor::isFixedOrderRecurrence(&Phi, &L, &K.DT);
  });
}

/// Where and whether the two meet, if the tests say so.
Meeting Fusion::meet(const MovingAccess &X, const MovingAccess &Y) {
  auto [It, New] = Known.try_emplace({X.I, Y.I}, Meeting{Meeting::Unknown});
  if (!New)
    return It->second;
  It->second = K.Places.find(X, Y);
  if (It->second.K == Meeting::Unknown && Tests.size() < MaxTests &&
      Tests.add(X, Y))
    It->second = {Meeting::Never};
  return It->second;
}

/// No iteration accesses memory that another one writes.
bool Fusion::areIndependent(const Accesses &Body) {
  for (unsigned J = 0; J != Body.size(); ++J)
    for (unsigned I = 0; I != J; ++I) {
      if (!Body[I].isStore() && !Body[J].isStore())
        continue;
      const Meeting M = meet(Body[I], Body[J]);
      if (M.K != Meeting::Never && (!M.isAhead() || M.Lag != 0))
        return false;
    }
  return true;
}

/// Loops that count down count up, if both of them do then.
void Fusion::turn() {
  const bool IsDown = findCountDown(*Pair.First).has_value();
  const bool IsDownToo = findCountDown(*Pair.Second).has_value();
  std::optional<CountDown> A = findFreeCountDown(*Pair.First, SE);
  std::optional<CountDown> B = findFreeCountDown(*Pair.Second, SE);
  if (A.has_value() != IsDown || B.has_value() != IsDownToo ||
      (A && !areIndependent(OfFirst)) || (B && !areIndependent(OfSecond)))
    return;
  Pair.TurnedFirst = A;
  Pair.TurnedSecond = B;
  auto turnAll = [&](Accesses &Body) {
    for (MovingAccess &X : Body)
      X = turnedAround(X, SE);
  };
  if (A)
    turnAll(OfFirst);
  if (B)
    turnAll(OfSecond);
}

/// In one loop, a vector of iterations may do all that \p X does in front of
/// all that \p Y, behind it, does.
bool Fusion::staysVector(const MovingAccess &X, const MovingAccess &Y) {
  if (!X.isStore() && !Y.isStore())
    return true;
  const Meeting M = meet(X, Y);
  return M.K == Meeting::Never || (M.isAhead() && M.Lag == 0) ||
         (M.isAhead() && M.Lag < 0 && !(X.isStore() && !Y.isStore()));
}

bool Fusion::isOrdered(const Accesses &Body) {
  for (unsigned J = 0; J != Body.size(); ++J)
    for (unsigned I = 0; I != J; ++I)
      if (!staysVector(Body[I], Body[J]))
        return false;
  return all_of(Body, [](const MovingAccess &A) {
    return !A.isStore() || uint64_t(std::abs(A.Step)) >= A.Size;
  });
}

/// The shift, if there is one that is worth it.
bool Fusion::findShift() {
  struct Shared {
    int64_t Lag;
    bool ReadsStored, StoresTwice;
    const Instruction *InSecond;
  };
  SmallVector<Shared, 16> All;
  int64_t Shift = 0;
  for (const MovingAccess &X : OfFirst)
    for (const MovingAccess &Y : OfSecond) {
      if (!X.isStore() && !Y.isStore())
        continue;
      const Meeting M = meet(X, Y);
      if (M.K == Meeting::Unknown)
        return false;
      if (!M.isAhead())
        continue;
      Shift = std::max(Shift, M.Lag);
      All.push_back({M.Lag, X.isStore() && !Y.isStore(),
                     X.isStore() && Y.isStore(), Y.I});
    }
  if (Shift > MaxAlone)
    return false;
  Pair.Shift = unsigned(Shift);
  SmallPtrSet<const Instruction *, 8> Near;
  for (const Shared &S : All) {
    if (S.StoresTwice && Shift - S.Lag <= MaxAlone)
      Pair.Trips = std::max(Pair.Trips, unsigned(Shift - S.Lag));
    if (Shift - S.Lag <= 1)
      Near.insert(S.InSecond);
    else if (S.ReadsStored)
      // Vector code can not read what an iteration some time before has
      // stored. What the last one has, it can hand on.
      return false;
  }
  return Near.size() * MaxAccessesForOne >= OfFirst.size() + OfSecond.size();
}

bool Fusion::findRest() {
  const SCEV *First = SE.getBackedgeTakenCount(Pair.First);
  const SCEV *Second = SE.getBackedgeTakenCount(Pair.Second);
  if (First->getType() != Second->getType()) {
    Type *Wide = SE.getWiderType(First->getType(), Second->getType());
    First = SE.getNoopOrZeroExtend(First, Wide);
    Second = SE.getNoopOrZeroExtend(Second, Wide);
  }
  const SCEV *More = SE.getMinusSCEV(First, Second);
  if (!isa<SCEVConstant>(More))
    More = underGuards(More, {Pair.First, Pair.Second}, K.LI, SE);
  auto *Constant = dyn_cast<SCEVConstant>(More);
  if (!Constant || Constant->getAPInt().abs().ugt(2 * MaxAlone))
    return false;
  const int64_t Rest =
      Constant->getAPInt().getSExtValue() - int64_t(Pair.Shift);
  Pair.RestOfFirst = unsigned(std::max<int64_t>(0, Rest));
  Pair.RestOfSecond = unsigned(std::max<int64_t>(0, -Rest));
  return std::abs(Rest) <= MaxAlone;
}

/// The fused loop, which runs at least once, and what is to be true for that.
bool Fusion::findCount(unsigned Extra) {
  const SCEV *Second = SE.getBackedgeTakenCount(Pair.Second);
  const SCEV *First = SE.getBackedgeTakenCount(Pair.First);
  auto constant = [&](const SCEV *S, unsigned C) {
    return SE.getConstant(S->getType(), C);
  };
  if (Extra)
    Pair.Back = SE.getMinusSCEV(Second, constant(Second, Pair.RestOfSecond));
  const unsigned Least = Pair.Shift + Pair.RestOfFirst;
  bool OfFirst = Pair.RestOfSecond != 0 && Least != 0;
  const unsigned More = Pair.RestOfSecond + Pair.Trips - 1;
  return (!OfFirst || requireCount(*First, Least)) &&
         ((!Extra && Pair.Trips == 1) || requireCount(*Second, More));
}

/// Has it tested that \p Back is so much at least, as far out as can be.
bool Fusion::requireCount(const SCEV &Back, unsigned Least) {
  const SCEV *Limit = SE.getConstant(Back.getType(), Least);
  Loop *Outmost = nullptr;
  SCEVExpander Expander(SE, Pair.First->getHeader()->getDataLayout(), "fuse");
  for (Loop *L = Pair.First; L; L = L->getParentLoop())
    if (BasicBlock *Before = L->getLoopPreheader();
        Before && SE.isLoopInvariant(&Back, L) &&
        Expander.isSafeToExpandAt(&Back, Before->getTerminator()))
      Outmost = L;
  if (!Outmost)
    return false;
  Instruction *At = Outmost->getLoopPreheader()->getTerminator();
  IRBuilder<> B(At);
  Value *Count = Expander.expandCodeFor(&Back, Back.getType(), At);
  B.SetInsertPoint(At);
  Pair.Tests.push_back(B.CreateFreeze(
      B.CreateICmpUGE(Count, cast<SCEVConstant>(Limit)->getValue())));
  return true;
}

/// What is in one array, and which arrays are apart. (Of two that are only read
/// nobody asks.)
void Fusion::findArrays() {
  SmallVector<const MovingAccess *, 16> All;
  for (const Accesses *Body : {&OfFirst, &OfSecond})
    for (const MovingAccess &X : *Body)
      All.push_back(&X);
  SmallVector<const MovingAccess *, 8> Heads;
  for (const MovingAccess *X : All) {
    auto *Head = find_if(Heads, [&](const MovingAccess *H) {
      return H->Start && X->Start && H->Step == X->Step &&
             distance(H->Start, X->Start, SE);
    });
    if (Head == Heads.end()) {
      Heads.push_back(X);
      Pair.Arrays.emplace_back();
      Pair.Arrays.back().push_back(X->I);
    } else {
      Pair.Arrays[unsigned(Head - Heads.begin())].push_back(X->I);
    }
  }
  auto arrayOf = [&](const MovingAccess &X) {
    return unsigned(
        find_if(Pair.Arrays,
                [&](const auto &Array) { return is_contained(Array, X.I); }) -
        Pair.Arrays.begin());
  };
  DenseSet<std::pair<unsigned, unsigned>> Met;
  SmallSetVector<std::pair<unsigned, unsigned>, 16> Asked;
  for (unsigned J = 0; J != All.size(); ++J)
    for (unsigned I = 0; I != J; ++I) {
      const MovingAccess &X = *All[I], &Y = *All[J];
      std::pair Of(arrayOf(X), arrayOf(Y));
      if (Of.first == Of.second || (!X.isStore() && !Y.isStore()))
        continue;
      if (Of.first > Of.second)
        std::swap(Of.first, Of.second);
      Asked.insert(Of);
      if (meet(X, Y).K != Meeting::Never)
        Met.insert(Of);
    }
  for (const auto &Of : Asked)
    if (!Met.contains(Of))
      Pair.Apart.push_back(Of);
}

/// \p Guard compares what the first loop's count depends on.
bool Fusion::asksForCount(Value &Guard) {
  auto *Compare = dyn_cast<ICmpInst>(&Guard);
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy())
    return false;
  const SCEV *Count = SE.getBackedgeTakenCount(Pair.First);
  return any_of(Compare->operands(), [&](Value *V) {
    return SCEVExprContains(SE.getSCEV(V), [&](const SCEV *Part) {
      return isa<SCEVUnknown>(Part) && SE.hasOperand(Count, Part);
    });
  });
}

std::optional<LoopPair> Fusion::find() {
  if (!isPlain(*Pair.First, SE) || !findSecond())
    return std::nullopt;
  K.Changed |= resolveStarts(*Pair.First, K);
  K.Changed |= resolveStarts(*Pair.Second, K);
  BasicBlock &A = *Pair.First->getHeader(), &B = *Pair.Second->getHeader();
  // A loop that calls functions would keep the other one from being vector
  // code.
  if (A.sizeWithoutDebug() + B.sizeWithoutDebug() > MaxInstructions ||
      all_of(A, mayBeVector) != all_of(B, mayBeVector))
    return std::nullopt;
  auto First = accessesOf(*Pair.First, MaxAccesses, SE);
  auto Second = accessesOf(*Pair.Second, MaxAccesses, SE);
  if (!First || !Second || First->size() + Second->size() > MaxAccesses)
    return std::nullopt;
  OfFirst = std::move(*First);
  OfSecond = std::move(*Second);
  turn();
  if (!handsOnLittle(*Pair.First) || !handsOnLittle(*Pair.Second) ||
      !findShift() || !findRest() || !isOrdered(OfFirst) ||
      !isOrdered(OfSecond))
    return std::nullopt;
  // What is between may have to wait for all iterations of the first loop, and
  // the second one for it: then the last ones stand alone.
  unsigned Extra = 0;
  while (!placeBetween()) {
    if (IsNear || Pair.RestOfFirst == MaxAlone || Pair.RestOfSecond == MaxAlone)
      return std::nullopt;
    ++Extra;
    ++Pair.RestOfFirst;
    ++Pair.RestOfSecond;
  }
  if ((Pair.Shift + Pair.RestOfFirst) * A.sizeWithoutDebug() +
          Pair.RestOfSecond * B.sizeWithoutDebug() >
      MaxInstructionsAlone)
    return std::nullopt;
  Pair.IsSeldomElse = all_of(Pair.Between.Guards, [&](const auto &G) {
    return leadsToFused(*G.Branch) || asksForCount(*G.Branch->getCondition());
  });
  findArrays();
  K.Changed = true;
  Pair.Tests = Tests.emit();
  if (!findCount(Extra))
    return std::nullopt;
  return Pair;
}

/// Blocks stay, and scalar evolution is told of each value that goes: the next
/// pair asks for addresses and counts that are known.
static PreservedAnalyses keptByCarrying() {
  PreservedAnalyses Kept;
  Kept.preserveSet<CFGAnalyses>();
  Kept.preserve<ScalarEvolutionAnalysis>();
  return Kept;
}

/// Fuses the loop of \p Header with the next one. The block of the new loop.
static BasicBlock *fuseWithNext(BasicBlock &Header, bool IsNear,
                                FunctionAnalysisManager &FAM, bool &Changed) {
  Function &F = *Header.getParent();
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &AA = FAM.getResult<AAManager>(F);
  Loop *L = LI.getLoopFor(&Header);
  if (!L || L->getHeader() != &Header)
    return nullptr;
  AccessRanges Ranges(SE, LI, DT);
  FusionFacts K{LI,
                DT,
                SE,
                AA,
                FAM.getResult<TargetLibraryAnalysis>(F),
                Ranges,
                MeetingPlaces(SE, LI, Ranges, AA)};
  std::optional<LoopPair> P = Fusion(*L, IsNear, K).find();
  Changed |= K.Changed || P;
  if (!P)
    return nullptr;
  BasicBlock *Fused = emitFused(*P, SE);
  FAM.invalidate(F, PreservedAnalyses::none());
  carryStores(*Fused, P->Trips, FAM);
  FAM.invalidate(F, keptByCarrying());
  return Fused;
}

PreservedAnalyses FuseLoopsPass::run(Function &F,
                                     FunctionAnalysisManager &FAM) {
  // It serves vector code.
  if (F.hasOptNone() || F.hasOptSize() ||
      FAM.getResult<TargetIRAnalysis>(F).hasBranchDivergence(&F))
    return PreservedAnalyses::all();
  SmallVector<WeakVH, 16> Headers;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (L->getNumBlocks() == 1)
      Headers.push_back(L->getHeader());
  bool Changed = false;
  unsigned Fusions = 0;
  // Those first that have nothing between them. From the last one to the first:
  // what has been fused is the next one of what stands in front.
  for (bool IsNear : {true, false})
    for (WeakVH &Each : reverse(Headers)) {
      Value *Header = Each;
      while (Header && Fusions != MaxFusions &&
             (Header = fuseWithNext(*cast<BasicBlock>(Header), IsNear, FAM,
                                    Changed))) {
        ++Fusions;
        Each = Header;
      }
    }
  if (Fusions != 0)
    FAM.getResult<OptimizationRemarkEmitterAnalysis>(F).emit([&] {
      return OptimizationRemark("adze", "FusedLoops",
                                DiagnosticLocation(F.getSubprogram()),
                                &F.getEntryBlock())
             << ore::NV("Derivative", F.getName()) << ": "
             << ore::NV("Fused", Fusions)
             << " times, neighbouring loops have become one";
    });
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace adze
