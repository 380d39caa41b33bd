// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why it is so. What is compared are instructions that are executed in every
// iteration of their loops, which are left in one place after a number of
// iterations that SCEV knows. So the addresses from which the range is computed
// are really accessed, all of them lie in one object, and two of them differ by
// less than half of the address space: by what SCEV says, taken for a signed
// number. If the steps from one to the next are not negative the first is the
// least. Two ranges of one base pointer lie in one object, too, or else are
// disjoint anyway.
//
// The distance of two such addresses is never near half of the address space,
// for no object is that large. So if both are accessed in each iteration of a
// loop around, and SCEV says that the distance grows there, it does, from what
// it is in the first iteration: it cannot wrap around. That is what tells a
// column from those in front of it where a loop counts down, of which SCEV does
// not know how often it runs.
#include "Loops/AccessRanges.h"

#include "Loops/Alternation.h"

using namespace llvm;

namespace adze {

/// More pairs of one function are not compared.
static constexpr unsigned MaxQuestions = 20000;

/// Whether \p Step, by which an address moves in \p L, is negative or not, as
/// far as that is known, by conditions in front of the loop for one.
std::optional<bool> AccessRanges::rises(const SCEV *Step, const Loop &L) {
  auto known = [&](const SCEV *S) -> std::optional<bool> {
    if (SE.isKnownNonNegative(S))
      return true;
    if (SE.isKnownNegative(S))
      return false;
    return std::nullopt;
  };
  std::optional<bool> AtOnce = known(Step);
  return AtOnce ? AtOnce : known(Guarded.apply(Step, L));
}

/// Where \p Address, which advances in \p L or does not, is least or greatest.
const SCEV *AccessRanges::endIn(const Loop &L, const SCEV *Address,
                                const SCEV *Count, bool Least) {
  if (SE.isLoopInvariant(Address, &L))
    return Address;
  const SCEVAddRecExpr *Advance = advanceIn(Address, L);
  const SCEV *Step = Advance ? Advance->getStepRecurrence(SE) : nullptr;
  std::optional<bool> Rises = Step ? rises(Step, L) : std::nullopt;
  if (!Rises)
    return nullptr;
  const SCEV *Start = Advance->getStart();
  return *Rises == Least
             ? Start
             : SE.getAddExpr(Start,
                             SE.getMulExpr(Step, SE.getTruncateOrZeroExtend(
                                                     Count, Step->getType())));
}

/// \p Apart, how far one access is behind another, is \p Size at least in the
/// first iterations of the loops that it varies in, and does not fall.
bool AccessRanges::staysBehind(const SCEV *Apart, uint64_t Size,
                               const Instruction &A, const Instruction &B) {
  // No object is so large that such a step could lead around.
  constexpr int64_t MaxStep = int64_t(1) << 60;
  if (SE.getTypeSizeInBits(Apart->getType()) < 64)
    return false;
  while (auto *Advance = dyn_cast<SCEVAddRecExpr>(Apart)) {
    const Loop *L = Advance->getLoop();
    const BasicBlock *Latch = L->getLoopLatch();
    const SCEV *Step =
        Advance->isAffine() ? Advance->getStepRecurrence(SE) : nullptr;
    if (!Step || !Latch || !L->contains(&A) || !L->contains(&B) ||
        !DT.dominates(A.getParent(), Latch) ||
        !DT.dominates(B.getParent(), Latch) || rises(Step, *L) != true ||
        SE.getSignedRange(Step).getSignedMax().sgt(MaxStep))
      return false;
    Apart = Advance->getStart();
  }
  return SE.isKnownPredicate(ICmpInst::ICMP_SGE, Apart,
                             SE.getConstant(Apart->getType(), Size));
}

/// Where \p B, or the block that leads to it alone, begins to be executed in
/// all iterations of \p Outer or in none.
static const BasicBlock *invariantEntry(const BasicBlock *B,
                                        const Loop &Outer) {
  while (const BasicBlock *Before = B->getSinglePredecessor()) {
    auto *Branch = dyn_cast<BranchInst>(Before->getTerminator());
    if (!Branch || !Outer.contains(Before) ||
        (Branch->isConditional() &&
         !Outer.isLoopInvariant(Branch->getCondition())))
      break;
    B = Before;
  }
  return B;
}

std::optional<AddressEnds>
AccessRanges::findEnds(const Loop *Outer, const LoopAccess &A, bool IsTested) {
  AddressEnds E{A.Address, A.Address};
  const BasicBlock *In = A.I->getParent();
  for (const Loop *L = LI.getLoopFor(In); L && Outer && Outer->contains(L);
       L = L->getParentLoop()) {
    const BasicBlock *Exiting = L->getExitingBlock();
    const SCEV *Count = SE.getBackedgeTakenCount(L);
    if (!Exiting || !L->getLoopPreheader() ||
        !DT.dominates(IsTested ? invariantEntry(In, *Outer) : In, Exiting) ||
        isa<SCEVCouldNotCompute>(Count) ||
        SE.getTypeSizeInBits(Count->getType()) >
            SE.getTypeSizeInBits(A.Address->getType()))
      return std::nullopt;
    auto end = [&](const SCEV *Address, bool Least) {
      const SCEV *Known = endIn(*L, Address, Count, Least);
      const SCEVAddRecExpr *Advance = advanceIn(Address, *L);
      return Known || !Advance || !IsTested
                 ? Known
                 : endOf(Advance->getStart(), Advance->getStepRecurrence(SE),
                         Count, Least, SE);
    };
    E.First = end(E.First, /*Least=*/true);
    E.Last = end(E.Last, /*Least=*/false);
    if (!E.First || !E.Last)
      return std::nullopt;
    In = L->getLoopPreheader();
  }
  return E;
}

std::optional<AddressEnds> AccessRanges::endsIn(const Loop *Outer,
                                                const LoopAccess &A) {
  auto [It, New] = Ends.try_emplace(placeOf(A, Outer));
  if (New)
    It->second = findEnds(Outer, A, /*IsTested=*/false);
  return It->second;
}

bool AccessRanges::compare(const LoopAccess &A, const Loop *InA,
                           const LoopAccess &B, const Loop *InB) {
  std::optional<AddressEnds> X, Y;
  if (!(X = endsIn(InA, A)) || !(Y = endsIn(InB, B)))
    return false;
  // Where buffers change places, not every iteration accesses what is compared.
  bool InEachIteration = true;
  auto isBehind = [&](const SCEV *Next, const SCEV *Last, uint64_t Size) {
    const SCEV *Apart = SE.getMinusSCEV(Next, Last);
    if (isa<SCEVCouldNotCompute>(Apart))
      return false;
    Apart = underGuards(Apart, {InA, InB}, LI, SE);
    for (const Loop *L : {InA, InB})
      if (L)
        Apart = Guarded.apply(Apart, *L);
    return SE.isKnownPredicate(ICmpInst::ICMP_SGE, Apart,
                               SE.getConstant(Apart->getType(), Size)) ||
           (InEachIteration && staysBehind(Apart, Size, *A.I, *B.I));
  };
  auto areApart = [&](ArrayRef<const SCEV *> Ends) {
    return isBehind(Ends[2], Ends[1], A.Size) ||
           isBehind(Ends[0], Ends[3], B.Size);
  };
  const SCEV *Ends[] = {X->First, X->Last, Y->First, Y->Last};
  if (areApart(Ends))
    return true;
  InEachIteration = false;
  return inEachCase(Ends, LI, SE, areApart);
}

bool AccessRanges::areDisjoint(Instruction &A, const Loop *InA, Instruction &B,
                               const Loop *InB) {
  std::optional<LoopAccess> AtA = accessOf(A, SE), AtB = accessOf(B, SE);
  return AtA && AtB && areDisjoint(*AtA, InA, *AtB, InB);
}

bool AccessRanges::areDisjoint(const LoopAccess &A, const Loop *InA,
                               const LoopAccess &B, const Loop *InB) {
  const Pair Asked(placeOf(A, InA), A.Size, placeOf(B, InB), B.Size);
  if (auto It = Answers.find(Asked); It != Answers.end())
    return It->second;
  return ++Questions <= MaxQuestions &&
         (Answers[Asked] = compare(A, InA, B, InB));
}

} // namespace adze
