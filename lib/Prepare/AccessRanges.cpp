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
#include "Prepare/AccessRanges.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// More pairs of one function are not compared.
static constexpr unsigned MaxQuestions = 20000;

/// Where \p Address, which advances in \p L or does not, is least or greatest.
const SCEV *AccessRanges::endOf(const SCEV *Address, const Loop &L,
                                const SCEV *Count, bool Least) {
  if (SE.isLoopInvariant(Address, &L))
    return Address;
  auto *Advance = dyn_cast<SCEVAddRecExpr>(Address);
  if (!Advance || Advance->getLoop() != &L || !Advance->isAffine())
    return nullptr;
  const SCEV *Step = Advance->getStepRecurrence(SE);
  bool Rises = SE.isKnownNonNegative(Step);
  if (!Rises && !SE.isKnownNegative(Step))
    return nullptr;
  if (Rises == Least)
    return Advance->getStart();
  return SE.getAddExpr(
      Advance->getStart(),
      SE.getMulExpr(Step, SE.getTruncateOrZeroExtend(Count, Step->getType())));
}

std::optional<AccessRanges::Ends> AccessRanges::endsIn(const Loop *Outer,
                                                       Instruction &I) {
  Value *Ptr = getLoadStorePointerOperand(&I);
  if (!Ptr || Ptr->getType()->isVectorTy() ||
      DL.getTypeStoreSize(getLoadStoreType(&I)).isScalable())
    return std::nullopt;
  Ends E{SE.getSCEV(Ptr), SE.getSCEV(Ptr)};
  const BasicBlock *In = I.getParent();
  for (const Loop *L = P.LI->getLoopFor(In); L && Outer && Outer->contains(L);
       L = L->getParentLoop()) {
    const BasicBlock *Exiting = L->getExitingBlock();
    const SCEV *Count = SE.getBackedgeTakenCount(L);
    if (!Exiting || !L->getLoopPreheader() || !P.DT->dominates(In, Exiting) ||
        isa<SCEVCouldNotCompute>(Count) ||
        SE.getTypeSizeInBits(Count->getType()) > 64)
      return std::nullopt;
    E.First = endOf(E.First, *L, Count, /*Least=*/true);
    E.Last = endOf(E.Last, *L, Count, /*Least=*/false);
    if (!E.First || !E.Last)
      return std::nullopt;
    In = L->getLoopPreheader();
  }
  return E;
}

bool AccessRanges::areDisjoint(Instruction &A, const Loop *InA, Instruction &B,
                               const Loop *InB) {
  if (++Questions > MaxQuestions)
    return false;
  std::optional<Ends> X = endsIn(InA, A);
  std::optional<Ends> Y = X ? endsIn(InB, B) : std::nullopt;
  if (!Y)
    return false;
  auto isBehind = [&](const SCEV *Next, const SCEV *Last, Instruction &Before) {
    const SCEV *Apart = SE.getMinusSCEV(Next, Last);
    if (isa<SCEVCouldNotCompute>(Apart))
      return false;
    for (const Loop *L : {InA, InB})
      if (L)
        Apart = SE.applyLoopGuards(Apart, L);
    uint64_t Size =
        DL.getTypeStoreSize(getLoadStoreType(&Before)).getFixedValue();
    return SE.isKnownPredicate(ICmpInst::ICMP_SGE, Apart,
                               SE.getConstant(Apart->getType(), Size));
  };
  return isBehind(Y->First, X->Last, A) || isBehind(X->First, Y->Last, B);
}

} // namespace adze
