// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/EntryGuards.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

namespace {

class UnderGuards : public SCEVRewriteVisitor<UnderGuards> {
public:
  UnderGuards(ScalarEvolution &SE, const LoopInfo &LI,
              ArrayRef<const Loop *> Entered)
      : SCEVRewriteVisitor(SE), LI(LI), Entered(Entered) {}

  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    const SCEV *Operand = visit(E->getOperand());
    const SCEV *Sum = extendedSum(Operand, E->getType());
    return Sum ? Sum : SE.getZeroExtendExpr(Operand, E->getType());
  }

  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *E) {
    const SCEV *Operand = visit(E->getOperand());
    if (const SCEV *Sum = extendedSum(Operand, E->getType()))
      return Sum;
    return isAtLeast(Operand, SE.getZero(Operand->getType()))
               ? SE.getZeroExtendExpr(Operand, E->getType())
               : SE.getSignExtendExpr(Operand, E->getType());
  }

private:
  /// The same number in the whole function, so that what a condition said of it
  /// stays true.
  bool isFixed(const SCEV *S) const {
    return !SCEVExprContains(S, [&](const SCEV *Part) {
      auto *Value = dyn_cast<SCEVUnknown>(Part);
      auto *I = Value ? dyn_cast<Instruction>(Value->getValue()) : nullptr;
      return isa<SCEVAddRecExpr, SCEVCouldNotCompute>(Part) ||
             (I && LI.getLoopFor(I->getParent()));
    });
  }

  bool isAtLeast(const SCEV *S, const SCEV *Least) {
    if (SE.isKnownPredicate(ICmpInst::ICMP_SGE, S, Least))
      return true;
    return isFixed(S) && any_of(Entered, [&](const Loop *L) {
             return L && SE.isLoopEntryGuardedByCond(L, ICmpInst::ICMP_SGE, S,
                                                     Least);
           });
  }

  /// ext(Rest - C) = zext(Rest) - C if Rest >= C >= 0, as signed numbers: then
  /// the difference does not overflow, and none of the two is negative. Null if
  /// \p S is no such sum.
  const SCEV *extendedSum(const SCEV *S, Type *Ty) {
    auto *Sum = dyn_cast<SCEVAddExpr>(S);
    auto *C = Sum ? dyn_cast<SCEVConstant>(Sum->getOperand(0)) : nullptr;
    if (!C || !C->getAPInt().isNegative() || C->getAPInt().isMinSignedValue())
      return nullptr;
    SmallVector<const SCEV *, 4> Others(drop_begin(Sum->operands()));
    const SCEV *Rest = SE.getAddExpr(Others);
    if (!isAtLeast(Rest, SE.getNegativeSCEV(C)))
      return nullptr;
    return SE.getAddExpr(SE.getSignExtendExpr(C, Ty),
                         SE.getZeroExtendExpr(Rest, Ty));
  }

  const LoopInfo &LI;
  ArrayRef<const Loop *> Entered;
};

} // namespace

const SCEV *underGuards(const SCEV *S, ArrayRef<const Loop *> Entered,
                        const LoopInfo &LI, ScalarEvolution &SE) {
  bool IsExtended = SCEVExprContains(S, [](const SCEV *Part) {
    return isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(Part);
  });
  return IsExtended ? UnderGuards(SE, LI, Entered).visit(S) : S;
}

const ScalarEvolution::LoopGuards &GuardedExpressions::guards(const Loop &L) {
  std::unique_ptr<ScalarEvolution::LoopGuards> &Of = Guards[&L];
  if (!Of)
    Of = std::make_unique<ScalarEvolution::LoopGuards>(
        ScalarEvolution::LoopGuards::collect(&L, SE));
  return *Of;
}

const SCEV *GuardedExpressions::apply(const SCEV *S, const Loop &L) {
  if (isa<SCEVConstant>(S))
    return S;
  const SCEV *&Guarded = Known[{S, &L}];
  if (!Guarded)
    Guarded = SE.applyLoopGuards(S, guards(L));
  return Guarded;
}

} // namespace adze
