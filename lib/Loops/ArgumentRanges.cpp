// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two ranges of one object are compared by the distances of their ends, which
// are less than half of the address space: by what SCEV says, taken for signed
// numbers. What the callee knows where it reads (n > 2) holds in the caller, at
// the call, for what it passes; and there must be something to read, or it does
// not matter what is copied.
#include "Loops/ArgumentRanges.h"
#include "Loops/ChunkBounds.h"

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

  /// \p Passed, a value or one that is extended, is in \p Range.
  void know(const SCEV *Passed, const ConstantRange &Range) {
    if (!isa<SCEVUnknown, SCEVSignExtendExpr, SCEVZeroExtendExpr>(Passed))
      return;
    const SCEV *&S = Known[Passed];
    if (!S)
      S = Passed;
    if (!Range.getSignedMin().isMinSignedValue())
      S = SE.getSMaxExpr(S, SE.getConstant(Range.getSignedMin()));
    else if (!Range.getUnsignedMin().isZero())
      S = SE.getUMaxExpr(S, SE.getConstant(Range.getUnsignedMin()));
  }

  const SCEV *visitUnknown(const SCEVUnknown *E) {
    const SCEV *S = Known.lookup(E);
    return S ? S : E;
  }
  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *E) {
    const SCEV *S = Known.lookup(E);
    return S ? S : SE.getSignExtendExpr(visit(E->getOperand()), E->getType());
  }
  /// Of sums, an extension with sign is simpler.
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    if (const SCEV *S = Known.lookup(E))
      return S;
    const SCEV *S = visit(E->getOperand());
    return SE.isKnownNonNegative(S) ? SE.getSignExtendExpr(S, E->getType())
                                    : SE.getZeroExtendExpr(S, E->getType());
  }

private:
  DenseMap<const SCEV *, const SCEV *> Known;
};

} // namespace

/// \p Condition compares an integer argument with a constant: which numbers
/// make it \p Is.
static std::optional<std::pair<const Argument *, ConstantRange>>
saidOfArgument(const Value *Condition, bool Is) {
  auto *Compare = dyn_cast<ICmpInst>(Condition);
  auto *Number = Compare ? dyn_cast<Argument>(Compare->getOperand(0)) : nullptr;
  auto *Limit =
      Number ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
  if (!Limit)
    return std::nullopt;
  return std::pair(
      Number, ConstantRange::makeExactICmpRegion(
                  Is ? Compare->getPredicate() : Compare->getInversePredicate(),
                  Limit->getValue()));
}

/// What is so on all ways to \p B.
static void addConditions(const BasicBlock &B, const DominatorTree &DT,
                          ArgumentRange &R) {
  const DomTreeNode *Node = DT.getNode(&B)->getIDom();
  for (unsigned N = 0; Node && N < MaxBranches; ++N, Node = Node->getIDom()) {
    auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    for (unsigned Way : {0u, 1u})
      if (DT.dominates({Branch->getParent(), Branch->getSuccessor(Way)}, &B))
        if (auto Said = saidOfArgument(Branch->getCondition(), Way == 0))
          R.If.push_back(*Said);
  }
}

/// Whenever the function is called and R.If is met, \p A is executed in all
/// iterations of its nest: of those that threads share, in all of all threads.
static bool isSureToRead(const AffineAccess &A, const Primal &P,
                         const Execution &Runs, ScalarEvolution &SE) {
  std::optional<SharedIterations> Shared;
  for (const Advance &Next : A.Advances)
    if (!Shared)
      Shared = sharedIterations(*Next.L->L, A.Start, SE);
  Guards If = A.If;
  return (!Shared || Shared->IsWhole) &&
         Runs.isExecutedWhenCalled(*A.Nest->getLoopPreheader()->getTerminator(),
                                   If) &&
         all_of(If, [&](const auto &Guard) {
           return saidOfArgument(Guard.first, Guard.second) ||
                  (Shared &&
                   saysThatThreadHasAny(*Shared, *Guard.first, Guard.second));
         });
}

std::optional<ArgumentRange> argumentRange(const AffineAccess &A,
                                           Argument &Array, const Primal &P,
                                           AffineAccesses &Affine,
                                           ScalarEvolution &SE) {
  std::optional<ByteRange> Bytes = Affine.rangeOfTeam(A, &Array);
  if (!Bytes)
    Bytes = Affine.rangeIfEntered(A, &Array);
  if (!Bytes || !InCaller::canSay(Bytes->Begin) ||
      !InCaller::canSay(Bytes->End))
    return std::nullopt;
  ArgumentRange R;
  R.Begin = Bytes->Begin;
  R.End = Bytes->End;
  addConditions(*A.Nest->getLoopPreheader(), *P.DT, R);
  for (const auto &[Condition, Is] : A.If)
    if (auto Said = saidOfArgument(Condition, Is))
      R.If.push_back(*Said);
  R.IsRead = isSureToRead(A, P, Execution(P), SE);
  return R;
}

std::pair<const SCEV *, const SCEV *>
rangeAtCall(const ArgumentRange &R, const CallBase &Call, ScalarEvolution &SE) {
  InCaller Said(Call, SE);
  return {Said.visit(R.Begin), Said.visit(R.End)};
}

/// The callee's conditions become those of \p R, if they can be said. False if
/// they are never met.
static bool addConditions(const ArgumentRange &Read, const CallBase &Call,
                          ArgumentRange &R) {
  for (const auto &[Number, Range] : Read.If) {
    const Value *Passed = Call.getArgOperand(Number->getArgNo());
    if (auto *Arg = dyn_cast<Argument>(Passed)) {
      R.If.push_back({Arg, Range});
    } else if (auto *Constant = dyn_cast<ConstantInt>(Passed)) {
      if (!Range.contains(Constant->getValue()))
        return false;
    } else {
      R.IsRead = false;
    }
  }
  return true;
}

std::optional<ArgumentRange> argumentRange(const ArgumentRange &Read,
                                           const CallBase &Call, Value &Pointer,
                                           Argument &Array, const Primal &P,
                                           ScalarEvolution &SE) {
  const SCEV *From = SE.getMinusSCEV(SE.getSCEV(&Pointer), SE.getSCEV(&Array));
  if (isa<SCEVCouldNotCompute>(From))
    return std::nullopt;
  const auto [Begin, End] = rangeAtCall(Read, Call, SE);
  ArgumentRange R;
  R.Begin = SE.getAddExpr(From, Begin);
  R.End = SE.getAddExpr(From, End);
  Guards If;
  R.IsRead = Read.IsRead && Execution(P).isExecutedWhenCalled(Call, If) &&
             all_of(If, [](const auto &Guard) {
               return saidOfArgument(Guard.first, Guard.second);
             });
  if (!InCaller::canSay(R.Begin) || !InCaller::canSay(R.End) ||
      !addConditions(Read, Call, R))
    return std::nullopt;
  addConditions(*Call.getParent(), *P.DT, R);
  return R;
}

bool isWithin(const ArgumentRange &Read, const CallBase &Call,
              const CallCopy &Copy, ScalarEvolution &SE) {
  WhereRead Where(SE);
  for (const auto &[Number, Range] : Read.If)
    Where.know(SE.getSCEV(Call.getArgOperand(Number->getArgNo())), Range);
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
  auto isIn = [&](const std::pair<Value *, ConstantRange> &Number) {
    const SCEV *S = Where.visit(SE.getSCEV(Number.first));
    return Number.second.contains(SE.getSignedRange(S)) ||
           Number.second.contains(SE.getUnsignedRange(S));
  };
  const auto Passed = rangeAtCall(Read, Call, SE);
  auto hasPart = [&](auto Reaches) {
    return any_of(Copy.Parts, [&](const CallCopy::Part &Part) {
      return Reaches(Part) && all_of(Part.If, isMet) &&
             all_of(Part.Numbers, isIn);
    });
  };
  return hasPart(
             [&](auto &Part) { return isAtLeast(Passed.first, Part.Begin); }) &&
         hasPart(
             [&](auto &Part) { return isAtLeast(Part.End, Passed.second); });
}

} // namespace adze
