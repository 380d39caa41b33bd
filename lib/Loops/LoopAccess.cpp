// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/LoopAccess.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// The value of an expression in one iteration of a loop.
class InIteration : public SCEVRewriteVisitor<InIteration> {
public:
  InIteration(ScalarEvolution &SE, const Loop &L, const SCEV *Count)
      : SCEVRewriteVisitor(SE), L(L), Count(Count) {}

  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *E) {
    return E->getLoop() == &L
               ? E->evaluateAtIteration(Count, SE)
               : SCEVRewriteVisitor<InIteration>::visitAddRecExpr(E);
  }

private:
  const Loop &L;
  const SCEV *Count;
};

struct Iteration {
  const Loop *L;
  const SCEV *Count;
};

/// The only iteration of a loop in which the edge from \p From to \p To is
/// taken, as a comparison on the one way to it says.
std::optional<Iteration> onlyIterationOf(const BasicBlock *From,
                                         const BasicBlock *To,
                                         ScalarEvolution &SE) {
  constexpr unsigned MaxSteps = 4;
  for (unsigned I = 0; From && I != MaxSteps; ++I) {
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    if (!Branch)
      return std::nullopt;
    auto *Compare = Branch->isConditional()
                        ? dyn_cast<ICmpInst>(Branch->getCondition())
                        : nullptr;
    unsigned Equal =
        Compare && Compare->getPredicate() == ICmpInst::ICMP_NE ? 1 : 0;
    if (Compare && Compare->isEquality() &&
        SE.isSCEVable(Compare->getOperand(0)->getType()) &&
        Branch->getSuccessor(Equal) == To &&
        Branch->getSuccessor(1 - Equal) != To) {
      auto *Counts =
          dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Compare->getOperand(0)));
      auto *Is = dyn_cast<ConstantInt>(Compare->getOperand(1));
      // A counter that does not come back to a number.
      if (Counts && Is && Counts->isAffine() &&
          Counts->getStepRecurrence(SE)->isOne() &&
          (Counts->hasNoUnsignedWrap() || Counts->hasNoSignedWrap()) &&
          Counts->getLoop()->contains(From))
        return Iteration{Counts->getLoop(),
                         SE.getMinusSCEV(SE.getConstant(Is->getValue()),
                                         Counts->getStart())};
    }
    To = From;
    From = From->getSinglePredecessor();
  }
  return std::nullopt;
}

/// Where an optimizer leads the first iteration past a loop that it does not
/// run, phi(0, i * n + i) stands for i * n + i: on its way i is zero.
class ThroughPhis : public SCEVRewriteVisitor<ThroughPhis> {
public:
  using SCEVRewriteVisitor::SCEVRewriteVisitor;

  const SCEV *visitUnknown(const SCEVUnknown *E) {
    auto *Phi = dyn_cast<PHINode>(E->getValue());
    if (!Phi || Phi->getNumIncomingValues() != 2)
      return E;
    for (unsigned Way : {0u, 1u})
      if (const SCEV *Value = asOther(*Phi, Way))
        return Value;
    return E;
  }

private:
  /// The operand of the other way, if that of \p Way is the same.
  const SCEV *asOther(const PHINode &Phi, unsigned Way) {
    const BasicBlock *Here = Phi.getParent();
    std::optional<Iteration> Only =
        onlyIterationOf(Phi.getIncomingBlock(Way), Here, SE);
    if (!Only || !Only->L->contains(Here))
      return nullptr;
    const SCEV *Other = SE.getSCEV(Phi.getIncomingValue(1 - Way));
    // Of the iterations that the phi is in.
    if (SCEVExprContains(Other, [&](const SCEV *Part) {
          auto *Advance = dyn_cast<SCEVAddRecExpr>(Part);
          return isa<SCEVCouldNotCompute>(Part) ||
                 (Advance && (!Advance->getLoop()->contains(Here) ||
                              Advance->getLoop()->getHeader() == Here));
        }))
      return nullptr;
    auto then = [&](const SCEV *S) {
      return InIteration(SE, *Only->L, Only->Count).visit(S);
    };
    return then(Other) == then(SE.getSCEV(Phi.getIncomingValue(Way))) ? Other
                                                                      : nullptr;
  }
};

bool mayBeJoined(const SCEV *Part) {
  auto *Value = dyn_cast<SCEVUnknown>(Part);
  auto *Phi = Value ? dyn_cast<PHINode>(Value->getValue()) : nullptr;
  return Phi && Phi->getNumIncomingValues() == 2;
}

} // namespace

std::optional<LoopAccess> accessOf(const Instruction &I, ScalarEvolution &SE) {
  if (!isa<LoadInst, StoreInst>(I))
    return std::nullopt;
  auto *Own = const_cast<Instruction *>(&I);
  Value *Pointer = getLoadStorePointerOperand(Own);
  TypeSize Size =
      I.getModule()->getDataLayout().getTypeStoreSize(getLoadStoreType(Own));
  if (Size.isScalable())
    return std::nullopt;
  const SCEV *Address = SE.getSCEV(Pointer);
  if (SCEVExprContains(Address, mayBeJoined))
    Address = ThroughPhis(SE).visit(Address);
  return LoopAccess{Own, Address, Size.getFixedValue()};
}

const SCEVAddRecExpr *advanceIn(const SCEV *Address, const Loop &L) {
  auto *Advance = dyn_cast<SCEVAddRecExpr>(Address);
  return Advance && Advance->getLoop() == &L && Advance->isAffine() ? Advance
                                                                    : nullptr;
}

const SCEVConstant *constantStepIn(const SCEV *Address, const Loop &L,
                                   ScalarEvolution &SE) {
  const SCEVAddRecExpr *Advance = advanceIn(Address, L);
  return Advance ? dyn_cast<SCEVConstant>(Advance->getStepRecurrence(SE))
                 : nullptr;
}

std::optional<int64_t> distance(const SCEV *From, const SCEV *To,
                                ScalarEvolution &SE) {
  auto *D = dyn_cast<SCEVConstant>(SE.getMinusSCEV(To, From));
  // The negative of a distance is one, too.
  return D && D->getAPInt().getSignificantBits() < 64
             ? std::optional(D->getAPInt().getSExtValue())
             : std::nullopt;
}

bool isElsewhereEachTime(const LoopAccess &A, const Loop &L,
                         ScalarEvolution &SE) {
  const SCEVConstant *Step = constantStepIn(A.Address, L, SE);
  return Step && Step->getAPInt().abs().uge(A.Size);
}

const SCEV *endOf(const SCEV *From, const SCEV *Step, const SCEV *Count,
                  bool Least, ScalarEvolution &SE) {
  const SCEV *Span =
      SE.getMulExpr(Step, SE.getTruncateOrZeroExtend(Count, Step->getType()));
  bool Rises = SE.isKnownNonNegative(Step);
  if (Rises || SE.isKnownNegative(Step))
    return Rises == Least ? From : SE.getAddExpr(From, Span);
  const SCEV *Zero = SE.getZero(Step->getType());
  return SE.getAddExpr(From, Least ? SE.getSMinExpr(Zero, Span)
                                   : SE.getSMaxExpr(Zero, Span));
}

} // namespace adze
