// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RerunPrices.h"
#include "Loops/LoopMemory.h"
#include "Prices.h"
#include "adze/Options.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

using namespace prices;

namespace {

/// Iterations of a loop that is as fast as if they did not wait for each other.
constexpr uint64_t ShortLoop = 16;

/// What it costs to run iterations of loops again. Loops run as they stand:
/// their arithmetic, and what they read and write side by side, is done so, in
/// vectors for instance; but what is handed on from one iteration to the next
/// waits for the one before.
class RerunPrices {
public:
  explicit RerunPrices(const Plan &P)
      : P(*P.F->P), DL(this->P.F->getDataLayout()),
        Prices(P.F->Target, DL, this->P.F->getContext()), Estimates(this->P),
        SE(loopMemoryOf(this->P, /*Budget=*/0).SE) {}

  uint64_t of(const Rerun &Again);
  uint64_t ofArrays(const Rerun &Again, ArrayRef<Slot> Slots);

private:
  bool isWaiting(const Instruction &I);
  bool startsChain(const Instruction &I);
  bool isControl(const Instruction &I);
  bool isSideBySide(const Instruction &Access);
  bool isByElement(const Instruction &I);
  uint64_t halvesOf(const Instruction &I, const Rerun &Again);
  uint64_t priceOf(const Instruction &I) const;

  const Primal &P;
  const DataLayout &DL;
  const OperationPrices Prices;
  TripEstimates Estimates;
  ScalarEvolution &SE;
  /// Floats that loops compute from floats of the iteration before.
  DenseMap<const LoopRecord *, DenseSet<const Value *>> Chains;
  /// Loops that do one element after the other.
  DenseMap<const Loop *, bool> ByElement;
};

/// \p I waits for a float of the iteration before.
bool RerunPrices::isWaiting(const Instruction &I) {
  const LoopRecord *L = P.loopOf(P.blockOf(&I));
  if (!L)
    return false;
  auto [It, IsNew] = Chains.try_emplace(L);
  DenseSet<const Value *> &Chain = It->second;
  SmallVector<const Value *, 8> Work;
  auto add = [&](const Value *V) {
    if (V->getType()->isFPOrFPVectorTy() && Chain.insert(V).second)
      Work.push_back(V);
  };
  if (IsNew)
    for (const PHINode &Phi : L->L->getHeader()->phis())
      add(&Phi);
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users())
      if (L->L->contains(cast<Instruction>(U)))
        add(U);
  return Chain.contains(&I);
}

/// Each iteration of a long loop waits once, for one operation after the other,
/// for what \p I, the first such phi, hands on.
bool RerunPrices::startsChain(const Instruction &I) {
  const LoopRecord *L = isa<PHINode>(I) ? P.loopOf(I.getParent()) : nullptr;
  if (!L || L->L->getHeader() != I.getParent() ||
      Estimates.trips(*L) <= ShortLoop)
    return false;
  for (const PHINode &Phi : I.getParent()->phis())
    if (Phi.getType()->isFPOrFPVectorTy())
      return &Phi == &I;
  return false;
}

/// \p I counts iterations of a loop, or compares that: nobody waits for it.
bool RerunPrices::isControl(const Instruction &I) {
  if (I.isTerminator())
    return true;
  if (!I.getType()->isIntegerTy() || P.Elsewhere.contains(&I))
    return false;
  return isa<ICmpInst>(I)
             ? all_of(I.users(),
                      [](const User *U) { return isa<BranchInst>(U); })
             : isa<SCEVAddRecExpr>(SE.getSCEV(const_cast<Instruction *>(&I)));
}

/// The iterations of its loop access elements that follow on each other.
bool RerunPrices::isSideBySide(const Instruction &Access) {
  const Value *Of = P.Elsewhere.ofPrimal(&Access);
  auto *I = Of ? dyn_cast<Instruction>(Of) : nullptr;
  const Value *Pointer = I ? getLoadStorePointerOperand(I) : nullptr;
  const Loop *In = Pointer ? P.LI->getLoopFor(I->getParent()) : nullptr;
  auto *Address =
      In ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(Pointer)))
         : nullptr;
  auto *Step = Address && Address->getLoop() == In && Address->isAffine()
                   ? dyn_cast<SCEVConstant>(Address->getStepRecurrence(SE))
                   : nullptr;
  return Step &&
         Step->getAPInt().abs() ==
             DL.getTypeStoreSize(getLoadStoreType(const_cast<Instruction *>(I)))
                 .getKnownMinValue();
}

/// \p I stands in an innermost loop whose elements do not lie side by side, so
/// that it does one after the other.
bool RerunPrices::isByElement(const Instruction &I) {
  const Loop *L = P.LI->getLoopFor(P.blockOf(&I));
  if (!L || !L->isInnermost())
    return false;
  auto [It, IsNew] = ByElement.try_emplace(L, false);
  if (IsNew)
    It->second = any_of(L->blocks(), [&](const BasicBlock *B) {
      return any_of(*B, [&](const Instruction &Each) {
        const Value *Pointer = getLoadStorePointerOperand(&Each);
        return Pointer && !isSideBySide(Each) &&
               !SE.isLoopInvariant(SE.getSCEV(const_cast<Value *>(Pointer)), L);
      });
    });
  return It->second;
}

uint64_t RerunPrices::priceOf(const Instruction &I) const {
  Decision D;
  if (const Value *Address = getLoadStorePointerOperand(&I))
    D.Copy = P.snapshotBehind(Address);
  return recomputePrice({&I, Part::Primal}, D, Prices, DL);
}

/// In halves, of \p I when it runs again. What it reads of scratch variables it
/// has just written.
uint64_t RerunPrices::halvesOf(const Instruction &I, const Rerun &Again) {
  constexpr uint64_t Whole = 2, Waiting = 4, Latency = 12;
  if (Again.Instead.contains(&I))
    return 0;
  const uint64_t Half = isByElement(I) ? Whole : 1;
  if (isControl(I))
    return Half == Whole ? Whole : 0;
  if (auto *Block = dyn_cast<MemIntrinsic>(&I)) {
    auto *Length = dyn_cast<ConstantInt>(Block->getLength());
    return Whole * (Length ? Length->getLimitedValue(MaxPrice) / 4
                           : Options::get().AssumedTrips);
  }
  auto *Load = dyn_cast<LoadInst>(&I);
  if (isa<StoreInst>(I) ||
      (Load && Again.isInScratch(Load->getPointerOperand())))
    return Half * UseScratch;
  const bool IsFloat = I.getType()->isFPOrFPVectorTy();
  if (Load)
    return (IsFloat && isSideBySide(*Load) ? Half : Whole) * priceOf(I);
  if (!IsFloat || (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
    return Whole * priceOf(I);
  if (startsChain(I))
    return Latency;
  return (isWaiting(I) ? Waiting : Half) * priceOf(I);
}

uint64_t RerunPrices::of(const Rerun &Again) {
  uint64_t Halves = 0;
  for (const Instruction *I : Again.Code)
    Halves = std::min(
        Halves + times(halvesOf(*I, Again), Estimates.runs(P.blockOf(I))),
        MaxPrice);
  return Halves / 2;
}

/// Of the arrays over inner loops in which \p Again keeps values.
uint64_t RerunPrices::ofArrays(const Rerun &Again, ArrayRef<Slot> Slots) {
  uint64_t Price = 0;
  for (const Slot &S : Slots)
    if (S.Rerun == Again.L && S.Base != NoSlot)
      Price = std::min(
          Price + times(MakeArray,
                        Estimates.runs(S.Outermost->L->getLoopPreheader())),
          MaxPrice);
  return Price;
}

} // namespace

uint64_t priceOf(const Rerun &Again, const Plan &P) {
  RerunPrices Prices(P);
  return std::min(Prices.of(Again) + Prices.ofArrays(Again, P.Slots), MaxPrice);
}

uint64_t bytesKept(const Plan &P) {
  const DataLayout &DL = P.F->P->F->getDataLayout();
  TripEstimates Estimates(*P.F->P);
  uint64_t Total = 0;
  for (const Slot &S : P.Slots) {
    if (S.Rerun)
      continue;
    uint64_t Bytes = S.Element->isSized() ? DL.getTypeAllocSize(S.Element) : 0;
    const Snapshot *Copied = P.copyIn(S);
    if (Copied)
      Bytes = Copied->Bytes;
    auto repeat = [&](ArrayRef<const LoopRecord *> Loops) {
      for (const LoopRecord *L : Loops)
        Bytes = times(Bytes, Estimates.trips(*L));
    };
    repeat(S.Dims);
    if (Copied)
      repeat(Copied->Over);
    Total = std::min(Total + Bytes, MaxPrice);
  }
  return Total;
}

} // namespace adze
