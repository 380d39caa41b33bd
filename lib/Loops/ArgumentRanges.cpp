// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two ranges of one object are compared by the distances of their ends, which
// are less than half of the address space: by what SCEV says, taken for signed
// numbers. What the callee knows where it reads (n > 2) holds in the caller, at
// the call, for what it passes; and there must be something to read, or it does
// not matter what is copied.
#include "Loops/ArgumentRanges.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// Conditions in front of a nest that are looked at.
static constexpr unsigned MaxBranches = 32;

namespace {

/// A number of the callee as one of the caller. It says nothing of overflow:
/// what is known of that is known in the callee.
class InCaller : public SCEVVisitor<InCaller, const SCEV *> {
public:
  InCaller(const CallBase &Call, ScalarEvolution &SE) : Call(Call), SE(SE) {}

  /// Whether \p S is made of what can be visited.
  static bool canSay(const SCEV *S) {
    return !SCEVExprContains(S, [](const SCEV *Part) {
      if (auto *Leaf = dyn_cast<SCEVUnknown>(Part))
        return !isa<Argument>(Leaf->getValue()) ||
               !Leaf->getType()->isIntegerTy();
      return !isa<SCEVConstant, SCEVTruncateExpr, SCEVZeroExtendExpr,
                  SCEVSignExtendExpr, SCEVAddExpr, SCEVMulExpr, SCEVUDivExpr,
                  SCEVMinMaxExpr>(Part);
    });
  }

  const SCEV *visitUnknown(const SCEVUnknown *E) {
    return SE.getSCEV(
        Call.getArgOperand(cast<Argument>(E->getValue())->getArgNo()));
  }
  const SCEV *visitConstant(const SCEVConstant *E) {
    return SE.getConstant(E->getValue());
  }
  const SCEV *visitTruncateExpr(const SCEVTruncateExpr *E) {
    return SE.getTruncateExpr(visit(E->getOperand()), E->getType());
  }
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    return SE.getZeroExtendExpr(visit(E->getOperand()), E->getType());
  }
  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *E) {
    return SE.getSignExtendExpr(visit(E->getOperand()), E->getType());
  }
  const SCEV *visitAddExpr(const SCEVAddExpr *E) {
    SmallVector<const SCEV *, 4> Parts = operands(E);
    return SE.getAddExpr(Parts);
  }
  const SCEV *visitMulExpr(const SCEVMulExpr *E) {
    SmallVector<const SCEV *, 4> Parts = operands(E);
    return SE.getMulExpr(Parts);
  }
  const SCEV *visitUDivExpr(const SCEVUDivExpr *E) {
    return SE.getUDivExpr(visit(E->getLHS()), visit(E->getRHS()));
  }
  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *E) { return extreme(E); }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *E) { return extreme(E); }
  const SCEV *visitSMinExpr(const SCEVSMinExpr *E) { return extreme(E); }
  const SCEV *visitUMinExpr(const SCEVUMinExpr *E) { return extreme(E); }

  const SCEV *visitVScale(const SCEVVScale *) { return never(); }
  const SCEV *visitPtrToIntExpr(const SCEVPtrToIntExpr *) { return never(); }
  const SCEV *visitAddRecExpr(const SCEVAddRecExpr *) { return never(); }
  const SCEV *visitSequentialUMinExpr(const SCEVSequentialUMinExpr *) {
    return never();
  }
  const SCEV *visitCouldNotCompute(const SCEVCouldNotCompute *) {
    return never();
  }

private:
  SmallVector<const SCEV *, 4> operands(const SCEVNAryExpr *E) {
    SmallVector<const SCEV *, 4> Parts;
    for (const SCEV *Op : E->operands())
      Parts.push_back(visit(Op));
    return Parts;
  }
  const SCEV *extreme(const SCEVMinMaxExpr *E) {
    SmallVector<const SCEV *, 4> Parts = operands(E);
    return SE.getMinMaxExpr(E->getSCEVType(), Parts);
  }
  /// canSay() is asked first.
  const SCEV *never() { return SE.getCouldNotCompute(); }

  const CallBase &Call;
  ScalarEvolution &SE;
};

/// Numbers of the caller, of which more is known where the callee reads.
class WhereRead : public SCEVRewriteVisitor<WhereRead> {
public:
  explicit WhereRead(ScalarEvolution &SE) : SCEVRewriteVisitor(SE) {}

  /// \p V, a number that is passed, is in \p Range.
  void know(const Value *V, const ConstantRange &Range) {
    const SCEV *&S = Known[V];
    if (!S)
      S = SE.getUnknown(const_cast<Value *>(V));
    if (!Range.getSignedMin().isMinSignedValue())
      S = SE.getSMaxExpr(S, SE.getConstant(Range.getSignedMin()));
    else if (!Range.getUnsignedMin().isZero())
      S = SE.getUMaxExpr(S, SE.getConstant(Range.getUnsignedMin()));
  }

  const SCEV *visitUnknown(const SCEVUnknown *E) {
    const SCEV *S = Known.lookup(E->getValue());
    return S ? S : E;
  }
  /// Of sums, an extension with sign is simpler.
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    const SCEV *S = visit(E->getOperand());
    return SE.isKnownNonNegative(S) ? SE.getSignExtendExpr(S, E->getType())
                                    : SE.getZeroExtendExpr(S, E->getType());
  }

private:
  DenseMap<const Value *, const SCEV *> Known;
};

} // namespace

/// Comparisons of integer arguments with constants, on all ways to \p B.
static void addConditions(const BasicBlock &B, const DominatorTree &DT,
                          ArgumentRange &R) {
  const DomTreeNode *Node = DT.getNode(&B)->getIDom();
  for (unsigned N = 0; Node && N < MaxBranches; ++N, Node = Node->getIDom()) {
    auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    auto *Compare = Branch && Branch->isConditional()
                        ? dyn_cast<ICmpInst>(Branch->getCondition())
                        : nullptr;
    auto *Number =
        Compare ? dyn_cast<Argument>(Compare->getOperand(0)) : nullptr;
    auto *Limit =
        Number ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
    if (!Limit)
      continue;
    for (unsigned Way : {0u, 1u})
      if (DT.dominates({Branch->getParent(), Branch->getSuccessor(Way)}, &B))
        R.If.push_back({Number, ConstantRange::makeExactICmpRegion(
                                    Way == 0 ? Compare->getPredicate()
                                             : Compare->getInversePredicate(),
                                    Limit->getValue())});
  }
}

std::optional<ArgumentRange> argumentRange(const AffineAccess &A,
                                           Argument &Array, const Primal &P,
                                           AffineAccesses &Affine,
                                           ScalarEvolution &SE) {
  std::optional<ByteRange> Bytes = Affine.rangeIfEntered(A, &Array);
  if (!Bytes || !InCaller::canSay(Bytes->Begin) ||
      !InCaller::canSay(Bytes->End))
    return std::nullopt;
  ArgumentRange R;
  R.Begin = Bytes->Begin;
  R.End = Bytes->End;
  addConditions(*A.Nest->getLoopPreheader(), *P.DT, R);
  return R;
}

bool isWithin(const ArgumentRange &Read, const CallBase &Call,
              const CallCopy &Copy, ScalarEvolution &SE) {
  WhereRead Where(SE);
  for (const auto &[Number, Range] : Read.If) {
    const SCEV *Passed = SE.getSCEV(Call.getArgOperand(Number->getArgNo()));
    if (auto *Leaf = dyn_cast<SCEVUnknown>(Passed))
      Where.know(Leaf->getValue(), Range);
  }
  InCaller Said(Call, SE);
  auto isAtLeast = [&](const SCEV *A, const SCEV *B) {
    const SCEV *Apart = SE.getMinusSCEV(Where.visit(A), Where.visit(B));
    return !isa<SCEVCouldNotCompute>(Apart) && SE.isKnownNonNegative(Apart);
  };
  auto isMet = [&](const std::pair<Value *, bool> &Guard) {
    auto *Compare = dyn_cast<ICmpInst>(Guard.first);
    if (!Compare || !SE.isSCEVable(Compare->getOperand(0)->getType()))
      return false;
    return SE.isKnownPredicate(Guard.second ? Compare->getPredicate()
                                            : Compare->getInversePredicate(),
                               Where.visit(SE.getSCEV(Compare->getOperand(0))),
                               Where.visit(SE.getSCEV(Compare->getOperand(1))));
  };
  return isAtLeast(Said.visit(Read.Begin), Copy.Begin) &&
         isAtLeast(Copy.End, Said.visit(Read.End)) && all_of(Copy.If, isMet);
}

} // namespace adze
