// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the loops of DistributeSums.h do what the one did. A sum is a load, an
// addition that may be reordered, and a store to where the load read. All else
// that the loop loads or stores are others.
//
//   * Sums are aligned elements of one size: two of them are to the same
//     element or to different ones. Nothing is stored to an element between its
//     load and its store. So their order changes rounding only.
//   * No other accesses what a sum does, so the others can be done before or
//     behind sums.
//   * The copies of the loop, which go first, store sums only. An other load
//     finds in them what it finds in the loop if no other store has been there
//     before: such a store is to different memory, or to the very place that
//     was loaded earlier in the same iteration and in no other one.
#include "DistributeSums.h"
#include "GatherSums.h"
#include "InnermostLoops.h"
#include "RangeTests.h"
#include "adze/GuardedProduct.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {

namespace {

/// Loops that run less often are left alone.
constexpr unsigned MinTrips = MinGatheredTrips;
constexpr unsigned MaxLoops = 8;
/// A loop that adds to one place alone hands on over so many iterations at
/// least. Over one, another loop that zeros what it has read costs as much.
constexpr unsigned MinHandedOn = 2;
/// Accesses of one loop.
constexpr unsigned MaxAccesses = 128;

struct Sum : MovingSum {
  unsigned Part = 0;
};

class Distribution {
public:
  Distribution(Loop &L, ScalarEvolution &SE, AccessRanges &Ranges,
               BatchAAResults &Alias)
      : L(L), Body(*L.getHeader()), SE(SE), Alias(Alias),
        DL(Body.getModule()->getDataLayout()), Tests(L, SE, Ranges) {}

  /// Whether it can be done and is worth it.
  bool find();
  bool isGathered() const { return Gathered.has_value(); }
  void apply(LoopInfo &LI, DominatorTree &DT);

private:
  bool collect();
  std::optional<Sum> movingSum(StoreInst &Store);
  bool areIndependent();
  bool keepApart(const Instruction &Access, const Instruction &Other);
  bool split();
  bool isCheap(const Sum &S) const;
  bool canExpand();
  bool readsWhatIsHandedOn() const;
  Value *condition(Instruction *At);
  BasicBlock *addParts(BasicBlock *Check, BasicBlock *Start, LoopInfo &LI,
                       DominatorTree &DT);
  void removeRest(BasicBlock &Start, LoopInfo &LI);
  void addFallback(BasicBlock *Check, BasicBlock *Start, Value *Good,
                   LoopInfo &LI, DominatorTree &DT);

  const SCEV *place(const Instruction &Access) {
    return SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&Access)));
  }

  Loop &L;
  BasicBlock &Body;
  ScalarEvolution &SE;
  BatchAAResults &Alias;
  const DataLayout &DL;
  const SCEV *Runs = nullptr; // iterations behind the first
  SmallVector<Sum, 8> Sums;
  SmallVector<Instruction *, 16> Others;
  unsigned Parts = 1;
  /// Instead of parts.
  std::optional<GatheredSums> Gathered;
  RangeTests Tests;
};

/// The sum of \p Store, if its place moves by a constant.
std::optional<Sum> Distribution::movingSum(StoreInst &Store) {
  std::optional<MemorySum> S = sumOf(Store, SE);
  if (!S)
    return std::nullopt;
  const SCEVAddRecExpr *Place = advanceIn(place(Store), L);
  if (!Place || !constantStepIn(Place, L, SE))
    return std::nullopt;
  return Sum{{*S, Place}};
}

bool Distribution::collect() {
  SmallPtrSet<const Instruction *, 16> InSums;
  for (Instruction &I : Body) {
    if (isa<DbgInfoIntrinsic>(I))
      continue;
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store && !isa<LoadInst>(I)) {
      if (I.mayReadOrWriteMemory() || I.mayThrow() || !I.willReturn())
        return false;
      continue;
    }
    if (Store ? !Store->isSimple() : !cast<LoadInst>(I).isSimple())
      return false;
    Others.push_back(&I);
    std::optional<Sum> S = Store ? movingSum(*Store) : std::nullopt;
    if (S && S->Old->comesBefore(Store)) {
      InSums.insert({S->Old, S->New});
      Sums.push_back(*S);
    }
  }
  if (Sums.empty() || Others.size() > MaxAccesses)
    return false;
  erase_if(Others, [&](Instruction *I) { return InSums.contains(I); });
  Type *Element = Sums.front().Old->getType();
  return all_of(Sums, [&](const Sum &S) {
    return S.Old->getType() == Element && isAligned(S) &&
           isUndisturbed(S, SE, Alias);
  });
}

/// No iteration accesses by the one what any accesses by the other, as far as
/// is known or will be tested.
bool Distribution::keepApart(const Instruction &Access,
                             const Instruction &Other) {
  auto all = [](const Instruction &I) {
    return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&I),
                                            I.getAAMetadata());
  };
  if (Alias.alias(all(Access), all(Other)) == AliasResult::NoAlias)
    return true;
  return Tests.add(Access, Other);
}

bool Distribution::areIndependent() {
  for (const Instruction *Other : Others)
    for (const Sum &S : Sums)
      if (!keepApart(*S.New, *Other))
        return false;
  for (const Instruction *Store : Others)
    for (const Instruction *Load : Others) {
      if (!isa<StoreInst>(Store) || !isa<LoadInst>(Load))
        continue;
      std::optional<LoopAccess> To = accessOf(*Store, SE);
      std::optional<LoopAccess> From = accessOf(*Load, SE);
      bool OnlyHere = To && From && To->Address == From->Address &&
                      Load->comesBefore(Store) &&
                      isElsewhereEachTime(*To, L, SE) &&
                      isElsewhereEachTime(*From, L, SE);
      if (!OnlyHere && !keepApart(*Store, *Load))
        return false;
    }
  return true;
}

/// What \p S adds is computed again in its loop.
bool Distribution::isCheap(const Sum &S) const {
  constexpr unsigned MaxInstructions = 48;
  SmallPtrSet<const Instruction *, 32> Seen;
  SmallVector<const Instruction *, 32> Work(1, S.New);
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (I->getParent() != &Body || isa<PHINode>(I) || !Seen.insert(I).second)
      continue;
    if (Seen.size() > MaxInstructions || !isCheapToRepeat(*I))
      return false;
    for (const Value *Op : I->operands())
      if (auto *Next = dyn_cast<Instruction>(Op))
        Work.push_back(Next);
  }
  return true;
}

/// Sums that come to the same elements in different iterations get different
/// loops. The first part stays where it is.
bool Distribution::split() {
  auto collide = [&](const Sum &A, const Sum &B) {
    const SCEVConstant *Step = constantStepIn(A.Place, L, SE);
    if (Step != B.Place->getStepRecurrence(SE))
      return SE.getPointerBase(A.Place) == SE.getPointerBase(B.Place);
    std::optional<int64_t> Apart = distance(B.Place, A.Place, SE);
    return Apart && *Apart && *Apart % Step->getAPInt().getSExtValue() == 0;
  };
  for (Sum &S : Sums) {
    SmallBitVector Taken(MaxLoops);
    for (const Sum &Earlier : Sums) {
      if (&Earlier == &S)
        break;
      if (collide(S, Earlier))
        Taken.set(Earlier.Part);
    }
    int Free = Taken.find_first_unset();
    if (Free < 0)
      return false;
    S.Part = unsigned(Free);
    Parts = std::max(Parts, S.Part + 1);
  }
  return all_of(Sums, [&](const Sum &S) {
    return S.Part == 0 || (isCheap(S) && !isRecurrent(S, L, SE));
  });
}

bool Distribution::canExpand() {
  SCEVExpander Expander(SE, DL, "sums");
  const Instruction *At = L.getLoopPreheader()->getTerminator();
  return Expander.isSafeToExpandAt(Runs, At) && Tests.canExpand(Expander, At);
}

/// Something behind the loop reads what its iterations hand on.
bool Distribution::readsWhatIsHandedOn() const {
  return any_of(Body.phis(), [&](const PHINode &Phi) {
    auto *Next = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(&Body));
    return Next && Next->getType()->isFloatingPointTy() &&
           any_of(Next->users(), [&](const User *U) {
             return !L.contains(cast<Instruction>(U));
           });
  });
}

bool Distribution::find() {
  if (L.getNumBlocks() != 1 || !L.getLoopPreheader() || !L.getExitBlock())
    return false;
  Runs = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Runs))
    return false;
  unsigned Trips = SE.getSmallConstantTripCount(&L);
  if (Trips != 0 && Trips < MinTrips)
    return false;
  if (!collect() || !split())
    return false;
  // One part can be gathered only. That is worth it if what iterations hand on
  // is read behind the loop, too: LLVM makes no vector code of such a loop.
  if (Parts == 1 && !readsWhatIsHandedOn())
    return false;
  if (!areIndependent() || !canExpand())
    return false;
  Gathered =
      gatherSums(L, SmallVector<MovingSum, 8>(Sums.begin(), Sums.end()), SE);
  return Parts > 1 || (Gathered && Gathered->NumShifts >= MinHandedOn &&
                       leavesNothing(*Gathered, L, SE));
}

/// Whether the loops may be distributed, and run often enough.
Value *Distribution::condition(Instruction *At) {
  SCEVExpander Expander(SE, DL, "sums");
  Value *Count = Expander.expandCodeFor(Runs, Runs->getType(), At);
  Value *Often = IRBuilder<>(At).CreateICmpUGE(
      Count, ConstantInt::get(Count->getType(), MinTrips - 1));
  return Tests.emit(Expander, Often, At);
}

/// The loop as it was, for where \p Good is false.
void Distribution::addFallback(BasicBlock *Check, BasicBlock *Start,
                               Value *Good, LoopInfo &LI, DominatorTree &DT) {
  BasicBlock *Exit = L.getExitBlock();
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 2> Blocks;
  Loop *Copy = cloneLoopWithPreheader(Start, Check, &L, Map, ".ordered", &LI,
                                      &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  Instruction *Old = Check->getTerminator();
  IRBuilder<>(Old).CreateCondBr(Good, Start, Copy->getLoopPreheader());
  Old->eraseFromParent();
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValueForBlock(&Body);
    Value *Other = Map.lookup(V);
    Phi.addIncoming(Other ? Other : V, Copy->getHeader());
  }
}

/// Removes stores, and what was computed for them alone.
static void erase(ArrayRef<Instruction *> Stores) {
  SmallVector<WeakTrackingVH, 16> Dead;
  for (Instruction *Store : Stores) {
    Dead.append(Store->op_begin(), Store->op_end());
    Store->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
}

/// The loops of all parts but the first, in front of \p Start. Their entry.
BasicBlock *Distribution::addParts(BasicBlock *Check, BasicBlock *Start,
                                   LoopInfo &LI, DominatorTree &DT) {
  BasicBlock *Exit = L.getExitBlock(), *Top = Start;
  for (unsigned Part = 1; Part != Parts; ++Part) {
    ValueToValueMapTy Map;
    SmallVector<BasicBlock *, 2> Blocks;
    Loop *Copy =
        cloneLoopWithPreheader(Top, Check, &L, Map, ".sums", &LI, &DT, Blocks);
    remapInstructionsInBlocks(Blocks, Map);
    BasicBlock *Header = Copy->getHeader();
    Header->getTerminator()->replaceSuccessorWith(Exit, Top);
    Top = Copy->getLoopPreheader();
    SmallVector<Instruction *, 16> Gone;
    for (const Sum &S : Sums)
      if (S.Part != Part)
        Gone.push_back(cast<Instruction>(Map[S.New]));
    for (Instruction *Other : Others)
      if (isa<StoreInst>(Other))
        Gone.push_back(cast<Instruction>(Map[Other]));
    erase(Gone);
    DeleteDeadPHIs(Header);
  }
  return Top;
}

/// The loop behind \p Start goes if it leaves nothing.
void Distribution::removeRest(BasicBlock &Start, LoopInfo &LI) {
  BasicBlock *Exit = L.getExitBlock();
  auto comesFromLoop = [&](const PHINode &Phi) {
    auto *V = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(&Body));
    return V && L.contains(V);
  };
  if (any_of(Exit->phis(), comesFromLoop))
    return;
  for (PHINode &Phi : Exit->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(&Body), &Start);
  Start.getTerminator()->replaceSuccessorWith(&Body, Exit);
  LI.erase(&L);
  LI.removeBlock(&Body);
  DeleteDeadBlock(&Body);
}

void Distribution::apply(LoopInfo &LI, DominatorTree &DT) {
  formLCSSA(L, DT, &LI, &SE);
  Function &F = *Body.getParent();
  BasicBlock *Check = L.getLoopPreheader();
  BasicBlock *Start = SplitBlock(Check, Check->getTerminator(), &DT, &LI);
  Value *Good = condition(Check->getTerminator());
  bool Stores =
      any_of(Others, [](const Instruction *I) { return isa<StoreInst>(I); });
  std::optional<GatheredCode> Code;
  if (Gathered)
    Code = emitGatheredSums(*Gathered, L, *Runs, *Check->getTerminator(),
                            *Start, SE, LI);
  SE.forgetLoop(&L);
  addFallback(Check, Start, Good, LI, DT);
  BasicBlock *Top = Code ? Code->First : addParts(Check, Start, LI, DT);
  Check->getTerminator()->replaceSuccessorWith(Start, Top);
  SmallVector<Instruction *, 16> Gone;
  for (const Sum &S : Sums)
    if (Code || S.Part != 0)
      Gone.push_back(S.New);
  erase(Gone);
  if (Code) {
    for (auto [Phi, V] : Code->Behind)
      Phi->setIncomingValueForBlock(&Body, V);
    DeleteDeadPHIs(&Body);
    if (!Stores)
      removeRest(*Start, LI);
  }
  DT.recalculate(F);
}

} // namespace

bool willBeGathered(Loop &L, ScalarEvolution &SE, AccessRanges &Ranges,
                    AAResults &AA) {
  BatchAAResults Alias(AA);
  Alias.enableCrossIterationMode();
  Distribution D(L, SE, Ranges, Alias);
  return D.find() && D.isGathered();
}

PreservedAnalyses DistributeSumsPass::run(Function &F,
                                          FunctionAnalysisManager &FAM) {
  return changeInnermost<Distribution>(F, FAM);
}

} // namespace adze
