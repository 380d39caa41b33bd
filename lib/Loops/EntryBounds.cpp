// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/EntryBounds.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// Depth of an expression, in operations.
static constexpr unsigned MaxDepth = 24;
/// A choice counts as so many, for each multiplies the work by its ways.
static constexpr unsigned ChoiceDepth = 6;
static constexpr size_t MaxWays = 4;
/// Choices behind one value.
static constexpr size_t MaxChoices = 64;

using Interval = EntryBounds::Interval;

bool EntryBounds::isKnown(const SCEV *S) const {
  return !SCEVExprContains(S, [&](const SCEV *Part) {
    if (isa<SCEVAddRecExpr, SCEVCouldNotCompute>(Part))
      return true;
    // It is computed whether the loop runs or not.
    if (auto *Quotient = dyn_cast<SCEVUDivExpr>(Part))
      return !SE.isKnownNonZero(Quotient->getRHS());
    auto *Leaf = dyn_cast<SCEVUnknown>(Part);
    auto *I = Leaf ? dyn_cast<Instruction>(Leaf->getValue()) : nullptr;
    return I && (!DT.dominates(I->getParent(), &At) || I->isTerminator());
  });
}

void EntryBounds::require(const Interval &I, unsigned Bits, bool Signed) {
  APInt Least = Signed ? APInt::getSignedMinValue(Bits).sext(Width)
                       : APInt::getZero(Width);
  APInt Greatest = Signed ? APInt::getSignedMaxValue(Bits).sext(Width)
                          : APInt::getMaxValue(Bits).zext(Width);
  for (const SCEV *S : {I.Least, I.Greatest})
    if (auto *C = dyn_cast<SCEVConstant>(S);
        !C || C->getAPInt().slt(Least) || C->getAPInt().sgt(Greatest))
      Conditions.push_back({S, Least, Greatest});
}

/// The number of times that the latch of \p L goes back, once it is entered.
std::optional<Interval> EntryBounds::count(const Loop &L, unsigned Depth) {
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count))
    Count = SE.getSymbolicMaxBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Count))
    return std::nullopt;
  std::optional<Interval> Result;
  unsigned Bits = SE.getTypeSizeInBits(Count->getType());
  if (isKnown(Count)) {
    const SCEV *S = SE.getZeroExtendExpr(Count, Wide);
    Result = {S, S};
  } else {
    // It is a number without sign; so is what is computed here, unless the loop
    // is entered when it should not be, and goes around its counter's range.
    // Nobody counts to 2^63.
    const SCEV *Zero = SE.getZero(Count->getType());
    if (Bits < 64 && !SE.isKnownNonNegative(Count) &&
        !SE.isLoopEntryGuardedByCond(&L, ICmpInst::ICMP_SGE, Count, Zero))
      return std::nullopt;
    Result = of(Count, Depth);
  }
  if (!Result)
    return std::nullopt;
  Result->Greatest = SE.getSMaxExpr(Result->Greatest, constant(0));
  require({constant(0), Result->Greatest}, CountBits, /*Signed=*/false);
  return Interval{constant(0), Result->Greatest};
}

/// Of two intervals, the second without negative numbers.
Interval EntryBounds::product(const Interval &A, const Interval &B) {
  auto end = [&](const SCEV *S, bool Least) {
    if (SE.isKnownNonNegative(S))
      return SE.getMulExpr(S, Least ? B.Least : B.Greatest);
    if (SE.isKnownNonPositive(S))
      return SE.getMulExpr(S, Least ? B.Greatest : B.Least);
    const SCEV *X = SE.getMulExpr(S, B.Least);
    const SCEV *Y = SE.getMulExpr(S, B.Greatest);
    return Least ? SE.getSMinExpr(X, Y) : SE.getSMaxExpr(X, Y);
  };
  return {end(A.Least, true), end(A.Greatest, false)};
}

std::optional<Interval> EntryBounds::ofAdvance(const SCEVAddRecExpr &A,
                                               unsigned Depth) {
  if (!A.isAffine())
    return std::nullopt;
  std::optional<Interval> Start = of(A.getStart(), Depth);
  std::optional<Interval> Step = of(A.getStepRecurrence(SE), Depth);
  std::optional<Interval> Count = count(*A.getLoop(), Depth);
  if (!Start || !Step || !Count)
    return std::nullopt;
  // Wrong steps are as many as right ones.
  require(*Step, DistanceBits, /*Signed=*/true);
  Interval Way = product(*Step, *Count);
  return Interval{sum(Start->Least, Way.Least),
                  sum(Start->Greatest, Way.Greatest)};
}

std::optional<Interval> EntryBounds::ofProduct(const SCEVMulExpr &M,
                                               unsigned Depth) {
  std::optional<Interval> Result = of(M.getOperand(0), Depth);
  for (const SCEV *Op : drop_begin(M.operands())) {
    std::optional<Interval> Next = of(Op, Depth);
    if (!Result || !Next)
      return std::nullopt;
    // One of the two is never negative.
    if (!SE.isKnownNonNegative(Next->Least))
      std::swap(Result, Next);
    if (!SE.isKnownNonNegative(Next->Least))
      return std::nullopt;
    require(*Result, 63, /*Signed=*/true);
    require(*Next, 63, /*Signed=*/true);
    Result = product(*Result, *Next);
  }
  return Result;
}

std::optional<Interval> EntryBounds::ofExtreme(const SCEVMinMaxExpr &M,
                                               unsigned Depth) {
  SmallVector<const SCEV *, 4> Least, Greatest;
  bool Signed = isa<SCEVSMaxExpr, SCEVSMinExpr>(M);
  for (const SCEV *Op : M.operands()) {
    std::optional<Interval> I = of(Op, Depth);
    if (!I)
      return std::nullopt;
    require(*I, SE.getTypeSizeInBits(M.getType()), Signed);
    Least.push_back(I->Least);
    Greatest.push_back(I->Greatest);
  }
  bool Max = isa<SCEVSMaxExpr, SCEVUMaxExpr>(M);
  return Interval{Max ? SE.getSMaxExpr(Least) : SE.getSMinExpr(Least),
                  Max ? SE.getSMaxExpr(Greatest) : SE.getSMinExpr(Greatest)};
}

static bool isChoice(const SCEV *S) {
  auto *Leaf = dyn_cast<SCEVUnknown>(S);
  return Leaf && isa<SelectInst, PHINode>(Leaf->getValue());
}

/// More is known of \p S, as a number with sign, than of its bits.
static bool isMade(const SCEV *S) {
  return !S->getType()->isIntegerTy(1) && !isa<SCEVTruncateExpr>(S) &&
         (!isa<SCEVUnknown>(S) || isChoice(S));
}

/// The values that \p V, a choice, is one of, wherever it was made: of the
/// choices that flow into it, too, around loops or not. \p Web: these choices.
SmallSetVector<const SCEV *, 16>
EntryBounds::waysOf(Value *V, SmallSetVector<const Value *, 16> &Web) {
  SmallSetVector<const SCEV *, 16> Ways;
  SmallVector<Value *, 16> Open(1, V);
  while (!Open.empty() && Web.size() <= MaxChoices) {
    Value *Next = Open.pop_back_val();
    if (isa<UndefValue>(Next)) // nothing is accessed there
      continue;
    const SCEV *S = SE.getSCEV(Next);
    if (!isChoice(S) || isKnown(S))
      Ways.insert(S);
    else if (auto *Choice = cast<Instruction>(cast<SCEVUnknown>(S)->getValue());
             Web.insert(Choice))
      append_range(Open, drop_begin(Choice->operand_values(),
                                    isa<SelectInst>(Choice) ? 1 : 0));
  }
  if (!Open.empty())
    Ways.clear();
  return Ways;
}

/// \p V is one of several values, none of which is computed of what it was
/// before: an index of the least element so far.
std::optional<Interval> EntryBounds::ofChoice(Value *V, unsigned Depth) {
  SmallSetVector<const Value *, 16> Web;
  SmallSetVector<const SCEV *, 16> Ways = waysOf(V, Web);
  const size_t Constants =
      count_if(Ways, [](const SCEV *S) { return isa<SCEVConstant>(S); });
  if (Ways.empty() || Ways.size() - Constants > MaxWays)
    return std::nullopt;
  const bool IsCircular = any_of(Ways, [&](const SCEV *Way) {
    return SCEVExprContains(Way, [&](const SCEV *Part) {
      auto *Leaf = dyn_cast<SCEVUnknown>(Part);
      return Leaf && Web.contains(Leaf->getValue());
    });
  });
  if (IsCircular)
    return std::nullopt;
  SmallVector<const SCEV *, 16> Least, Greatest;
  for (const SCEV *Way : Ways) {
    std::optional<Interval> I = of(Way, Depth + ChoiceDepth);
    if (!I)
      return std::nullopt;
    Least.push_back(I->Least);
    Greatest.push_back(I->Greatest);
  }
  return Interval{SE.getSMinExpr(Least), SE.getSMaxExpr(Greatest)};
}

/// What the bits of \p S say: of a comparison, or of some bits of a number. Of
/// a number in memory they say little.
std::optional<Interval> EntryBounds::ofBits(const SCEV *S) {
  constexpr unsigned FewBits = 16;
  const SCEV *Op = S;
  while (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(Op))
    Op = cast<SCEVCastExpr>(Op)->getOperand();
  auto *Leaf = dyn_cast<SCEVUnknown>(Op);
  const ConstantRange Range = SE.getSignedRange(S);
  if ((Leaf && isa<LoadInst>(Leaf->getValue())) ||
      !Range.getSignedMin().isSignedIntN(FewBits) ||
      !Range.getSignedMax().isSignedIntN(FewBits))
    return std::nullopt;
  return Interval{constant(Range.getSignedMin().getSExtValue()),
                  constant(Range.getSignedMax().getSExtValue())};
}

std::optional<Interval> EntryBounds::of(const SCEV *S, unsigned Depth) {
  if (++Depth > MaxDepth || !S->getType()->isIntegerTy() ||
      SE.getTypeSizeInBits(S->getType()) > 64)
    return std::nullopt;
  if (isKnown(S)) {
    const SCEV *Same = SE.getSignExtendExpr(S, Wide);
    return Interval{Same, Same};
  }
  if (auto *A = dyn_cast<SCEVAddRecExpr>(S))
    return ofAdvance(*A, Depth);
  if (auto *M = dyn_cast<SCEVMulExpr>(S))
    return ofProduct(*M, Depth);
  if (auto *M = dyn_cast<SCEVMinMaxExpr>(S))
    return ofExtreme(*M, Depth);
  if (auto *A = dyn_cast<SCEVAddExpr>(S)) {
    Interval Result{constant(0), constant(0)};
    for (const SCEV *Op : A->operands()) {
      std::optional<Interval> Next = of(Op, Depth);
      if (!Next)
        return std::nullopt;
      Result = {sum(Result.Least, Next->Least),
                sum(Result.Greatest, Next->Greatest)};
    }
    return Result;
  }
  if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(S)) {
    const SCEV *Op = cast<SCEVCastExpr>(S)->getOperand();
    std::optional<Interval> Result = isMade(Op) ? of(Op, Depth) : std::nullopt;
    if (!Result)
      return ofBits(S);
    require(*Result, SE.getTypeSizeInBits(Op->getType()),
            /*Signed=*/isa<SCEVSignExtendExpr>(S));
    return Result;
  }
  std::optional<Interval> Choice =
      isChoice(S) ? ofChoice(cast<SCEVUnknown>(S)->getValue(), Depth)
                  : std::nullopt;
  return Choice ? Choice : ofBits(S);
}

} // namespace adze
