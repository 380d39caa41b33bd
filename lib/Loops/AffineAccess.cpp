// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That there is not much between what is accessed is judged by steps and
// counts, taken for integers without bounds; it is a question of price only.
#include "Loops/AffineAccess.h"
#include "Loops/ChunkBounds.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {
namespace {

/// Bytes that may lie between a row and the next one.
constexpr int64_t MaxGap = 128;
/// Rows and elements that two accesses of one array may lie apart.
constexpr int64_t MaxRows = 4;
/// Address calculations between an array and its element.
constexpr unsigned MaxSteps = 8;

/// Extensions of sums as sums of extensions, as if no sum ever overflowed, and
/// as if each loop were entered.
class Unbounded : public SCEVRewriteVisitor<Unbounded> {
public:
  explicit Unbounded(ScalarEvolution &SE) : SCEVRewriteVisitor(SE) {}

  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    return extended(visit(E->getOperand()), E->getType());
  }
  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *E) {
    return extended(visit(E->getOperand()), E->getType());
  }
  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *E) { return atLeast(E); }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *E) { return atLeast(E); }

private:
  const SCEV *atLeast(const SCEVNAryExpr *E) {
    const SCEV *Max = visit(E->getOperand(1));
    for (const SCEV *Op : drop_begin(E->operands(), 2))
      Max = SE.getSMaxExpr(Max, visit(Op));
    if (isa<SCEVConstant>(E->getOperand(0)))
      return Max;
    return SE.getSMaxExpr(visit(E->getOperand(0)), Max);
  }
  const SCEV *extended(const SCEV *S, Type *Ty) {
    if (isa<SCEVAddExpr, SCEVMulExpr>(S)) {
      SmallVector<const SCEV *, 4> Parts;
      for (const SCEV *Op : cast<SCEVNAryExpr>(S)->operands())
        Parts.push_back(extended(Op, Ty));
      return isa<SCEVAddExpr>(S) ? SE.getAddExpr(Parts) : SE.getMulExpr(Parts);
    }
    return isa<SCEVConstant>(S) ? SE.getSignExtendExpr(S, Ty)
                                : SE.getZeroExtendExpr(S, Ty);
  }
};

bool isLittle(std::optional<int64_t> Gap) {
  return Gap && *Gap >= -MaxGap && *Gap <= MaxGap;
}

} // namespace

Value *arrayBehind(Value *Ptr) {
  for (unsigned Steps = 0; Steps < MaxSteps; ++Steps) {
    auto *GEP = dyn_cast<GetElementPtrInst>(Ptr);
    if (!GEP)
      return Ptr;
    Ptr = GEP->getPointerOperand();
  }
  return nullptr;
}

SmallVector<GetElementPtrInst *, 4> stepsTo(Value *Ptr, Value *Array) {
  SmallVector<GetElementPtrInst *, 4> Way;
  for (; Ptr != Array; Ptr = Way.back()->getPointerOperand())
    Way.push_back(cast<GetElementPtrInst>(Ptr));
  return Way;
}

std::optional<int64_t> AffineAccesses::constant(const SCEV *S) {
  auto *C = dyn_cast<SCEVConstant>(Unbounded(SE).visit(S));
  if (!C || !C->getAPInt().isSignedIntN(62))
    return std::nullopt;
  return C->getAPInt().getSExtValue();
}

Value *lastIfEntered(const LoopRecord &L) {
  // A guard makes it 0 where the loop is not entered.
  auto *Guarded = dyn_cast<SelectInst>(L.LastIteration);
  return Guarded ? Guarded->getTrueValue() : L.LastIteration;
}

/// What advances so, in whatever order the loops are nested, leaves little in
/// between: columns, too, if they lie side by side.
bool AffineAccesses::isDense(ArrayRef<Advance> All, Type *Element) {
  SmallVector<Advance, 3> Left(All);
  const SCEV *Span = nullptr;
  while (!Left.empty()) {
    auto *Next = find_if(Left, [&](const Advance &A) {
      if (!Span)
        Span = SE.getConstant(A.Step->getType(),
                              DL.getTypeStoreSize(Element).getFixedValue());
      return isLittle(constant(A.Step)) ||
             isLittle(constant(SE.getMinusSCEV(A.Step, Span)));
    });
    if (Next == Left.end())
      return false;
    Span = SE.getAddExpr(
        Span, SE.getMulExpr(Next->Step, SE.getSCEV(lastIfEntered(*Next->L))));
    Left.erase(Next);
  }
  return true;
}

/// All that says what \p A accesses can be computed in front of \p Nest.
bool AffineAccesses::isKnownBefore(const AffineAccess &A, const Loop &Nest) {
  const Instruction *At = Nest.getLoopPreheader()->getTerminator();
  return SE.isLoopInvariant(A.Start, &Nest) &&
         Expander.isSafeToExpandAt(A.Start, At) &&
         all_of(A.Advances,
                [&](const Advance &Next) {
                  return SE.isLoopInvariant(Next.Step, &Nest) &&
                         Expander.isSafeToExpandAt(Next.Step, At) &&
                         Expander.isSafeToExpandAt(
                             SE.getSCEV(Next.L->LastIteration), At);
                }) &&
         all_of(A.If, [&](auto &G) { return P.DT->dominates(G.first, At); });
}

std::optional<AffineAccess> AffineAccesses::find(Instruction &I,
                                                 const Loop *Around) {
  AffineAccess Found, A;
  A.I = &I;
  A.Start = SE.getSCEV(getLoadStorePointerOperand(&I));
  const BasicBlock *In = I.getParent();
  for (Loop *L = P.LI->getLoopFor(In); L && L != Around;
       In = L->getLoopPreheader(), L = L->getParentLoop()) {
    const LoopRecord *Record = P.LoopOf.lookup(L);
    if (!Runs.isInEachIteration(*Record, In, A.If))
      break;
    if (const SCEVAddRecExpr *Address = advanceIn(A.Start, *L)) {
      A.Start = Address->getStart();
      A.Advances.insert(A.Advances.begin(),
                        {Record, Address->getStepRecurrence(SE)});
    }
    if (!isKnownBefore(A, *L))
      break;
    if (!isDense(A.Advances, A.type()))
      continue;
    A.Nest = L;
    Found = A;
  }
  if (!Found.Nest || Found.Advances.empty())
    return std::nullopt;
  return Found;
}

std::optional<ByteRange> AffineAccesses::rangeOf(const AffineAccess &A,
                                                 Value *Array) {
  const SCEV *First = SE.getMinusSCEV(A.Start, SE.getSCEV(Array));
  if (isa<SCEVCouldNotCompute>(First))
    return std::nullopt;
  const SCEV *Last = First;
  for (const Advance &Next : A.Advances) {
    // Where the loop is entered no count is negative; else, A.If is not met.
    const SCEV *Count = SE.getSCEV(Next.L->LastIteration);
    First = endOf(First, Next.Step, Count, /*Least=*/true, SE);
    Last = endOf(Last, Next.Step, Count, /*Least=*/false, SE);
  }
  uint64_t Bytes = DL.getTypeStoreSize(A.type()).getFixedValue();
  Last = SE.getAddExpr(Last, SE.getConstant(Last->getType(), Bytes));
  return ByteRange{First, Last, A.If};
}

bool AffineAccesses::mayBeMade(const ByteRange &R,
                               const Instruction *At) const {
  return Expander.isSafeToExpandAt(R.Begin, At) &&
         Expander.isSafeToExpandAt(R.End, At) &&
         all_of(R.If, [&](auto &G) { return P.DT->dominates(G.first, At); });
}

uint64_t AffineAccesses::bytesPerElement(const AffineAccess &A) {
  const uint64_t Bytes = DL.getTypeStoreSize(A.type()).getFixedValue();
  std::optional<uint64_t> Least;
  for (const Advance &Next : A.Advances)
    if (std::optional<int64_t> Step = constant(Next.Step))
      Least = std::min(Least.value_or(UINT64_MAX), uint64_t(std::abs(*Step)));
  return std::max(Bytes, Least.value_or(Bytes));
}

bool AffineAccesses::isNear(const AffineAccess &A, const AffineAccess &B) {
  if (A.Nest != B.Nest || A.If != B.If || A.type() != B.type() ||
      A.Advances.size() != B.Advances.size())
    return false;
  for (auto [X, Y] : zip(A.Advances, B.Advances))
    if (X.L != Y.L || X.Step != Y.Step)
      return false;
  const SCEV *Apart = SE.getMinusSCEV(A.Start, B.Start);
  if (isa<SCEVCouldNotCompute>(Apart))
    return false;
  auto isRowsApart = [&](const SCEV *Step, int64_t Rows) {
    return isLittle(constant(SE.getAddExpr(
        Apart, SE.getMulExpr(Step, SE.getConstant(Step->getType(), Rows,
                                                  /*isSigned=*/true)))));
  };
  for (int64_t Rows = -MaxRows; Rows <= MaxRows; ++Rows)
    for (const Advance &Next : {A.Advances.front(), A.Advances.back()})
      if (isRowsApart(Next.Step, Rows))
        return true;
  return false;
}

/// From the first element to the last one of the last row, and no further; all
/// loops are entered.
AffineAccesses::Ends AffineAccesses::endsOf(const AffineAccess &A) {
  Ends E{A.Start, A.Start};
  for (const Advance &Next : A.Advances) {
    const SCEV *Count = SE.getSCEV(lastIfEntered(*Next.L));
    E.Begin = endOf(E.Begin, Next.Step, Count, /*Least=*/true, SE);
    E.Last = endOf(E.Last, Next.Step, Count, /*Least=*/false, SE);
  }
  return E;
}

std::optional<ByteRange> AffineAccesses::rangeBetween(const Ends &E,
                                                      const AffineAccess &A,
                                                      Value *Array) {
  const SCEV *From = SE.getSCEV(Array);
  const SCEV *Begin = SE.getMinusSCEV(E.Begin, From);
  const SCEV *Last = SE.getMinusSCEV(E.Last, From);
  if (isa<SCEVCouldNotCompute>(Begin) || isa<SCEVCouldNotCompute>(Last))
    return std::nullopt;
  uint64_t Bytes = DL.getTypeStoreSize(A.type()).getFixedValue();
  return ByteRange{
      Begin, SE.getAddExpr(Last, SE.getConstant(Last->getType(), Bytes)), A.If};
}

std::optional<ByteRange> AffineAccesses::rangeIfEntered(const AffineAccess &A,
                                                        Value *Array) {
  return rangeBetween(endsOf(A), A, Array);
}

std::optional<ByteRange> AffineAccesses::rangeOfTeam(const AffineAccess &A,
                                                     Value *Array) {
  for (const auto &[N, In] : enumerate(A.Advances)) {
    std::optional<SharedIterations> S = sharedIterations(*In.L->L, A.Start, SE);
    if (!S)
      continue;
    AffineAccess All = A;
    All.Start = SE.getAddExpr(
        SE.getMinusSCEV(A.Start, SE.getMulExpr(In.Step, S->Lower)),
        SE.getMulExpr(In.Step, S->First));
    All.Advances.erase(All.Advances.begin() + N);
    Ends E = endsOf(All);
    const SCEV *Count = SE.getMinusSCEV(S->Last, S->First);
    E.Begin = endOf(E.Begin, In.Step, Count, /*Least=*/true, SE);
    E.Last = endOf(E.Last, In.Step, Count, /*Least=*/false, SE);
    return rangeBetween(E, A, Array);
  }
  return std::nullopt;
}

/// Both begin near each other, and end so.
bool AffineAccesses::lieTogether(const AffineAccess &A, const AffineAccess &B) {
  const Ends EndsA = endsOf(A), EndsB = endsOf(B);
  const SCEV *Before = SE.getMinusSCEV(EndsA.Begin, EndsB.Begin);
  const SCEV *Behind = SE.getMinusSCEV(EndsA.Last, EndsB.Last);
  return !isa<SCEVCouldNotCompute>(Before) &&
         !isa<SCEVCouldNotCompute>(Behind) && isLittle(constant(Before)) &&
         isLittle(constant(Behind));
}

bool AffineAccesses::reachesOver(const AffineAccess &A, const AffineAccess &B) {
  const Ends EndsA = endsOf(A), EndsB = endsOf(B);
  const int64_t Longer = DL.getTypeStoreSize(B.type()).getFixedValue() -
                         DL.getTypeStoreSize(A.type()).getFixedValue();
  // Both have been entered: what stands in front of either loop is known.
  auto isBehind = [&](const SCEV *Later, const SCEV *Earlier, int64_t Least) {
    for (const Loop *L : {A.Nest, B.Nest})
      if (L) {
        Later = SE.applyLoopGuards(Later, L);
        Earlier = SE.applyLoopGuards(Earlier, L);
      }
    const SCEV *Apart = SE.getMinusSCEV(Later, Earlier);
    return !isa<SCEVCouldNotCompute>(Apart) &&
           SE.isKnownPredicate(ICmpInst::ICMP_SGE, Apart,
                               SE.getConstant(Apart->getType(), Least,
                                              /*isSigned=*/true));
  };
  return isBehind(EndsB.Begin, EndsA.Begin, 0) &&
         isBehind(EndsA.Last, EndsB.Last, Longer);
}

} // namespace adze
