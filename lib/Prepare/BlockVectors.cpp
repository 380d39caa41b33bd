// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends of vectors are compared as if all sizes were large, and nothing wrapped
// around: n * n - n is greater than n.
#include "Prepare/BlockVectors.h"

using namespace llvm;

namespace adze {

/// Of more accesses, the block is one array.
static constexpr size_t MaxAccesses = 96;

namespace {

enum class Sign { Negative, Zero, Positive, Unknown };

} // namespace

/// Of \p P, if all its symbols are large.
static Sign signOf(const Polynomial &P) {
  if (!P.isValid())
    return Sign::Unknown;
  size_t Degree = 0;
  for (const auto &[M, C] : P.terms())
    Degree = std::max(Degree, M.size());
  Sign Result = Sign::Zero;
  for (const auto &[M, C] : P.terms()) {
    if (M.size() < Degree)
      continue;
    Sign Own = C > 0 ? Sign::Positive : Sign::Negative;
    if (Result != Sign::Zero && Result != Own)
      return Sign::Unknown;
    Result = Own;
  }
  return Result;
}

/// The greatest of the operands, or the least, by signOf.
Polynomial BlockVectors::extreme(const SCEVNAryExpr &S, bool Greatest) {
  Polynomial Result = read(S.getOperand(0));
  for (const SCEV *Op : drop_begin(S.operands())) {
    Polynomial Other = read(Op);
    Sign Apart = signOf(Other - Result);
    if (Apart == Sign::Unknown)
      return Polynomial::invalid();
    if (Apart == (Greatest ? Sign::Positive : Sign::Negative))
      Result = Other;
  }
  return Result;
}

Polynomial BlockVectors::read(const SCEV *S) {
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return C->getAPInt().isSignedIntN(62)
               ? Polynomial(C->getAPInt().getSExtValue())
               : Polynomial::invalid();
  if (auto *Cast = dyn_cast<SCEVCastExpr>(S))
    return read(Cast->getOperand());
  if (isa<SCEVAddExpr, SCEVMulExpr>(S)) {
    const bool IsSum = isa<SCEVAddExpr>(S);
    Polynomial Result(IsSum ? 0 : 1);
    for (const SCEV *Op : S->operands())
      Result = IsSum ? Result + read(Op) : Result * read(Op);
    return Result;
  }
  if (isa<SCEVSMaxExpr, SCEVUMaxExpr>(S))
    return extreme(*cast<SCEVNAryExpr>(S), /*Greatest=*/true);
  if (isa<SCEVSMinExpr, SCEVUMinExpr>(S))
    return extreme(*cast<SCEVNAryExpr>(S), /*Greatest=*/false);
  auto [It, New] = Symbols.try_emplace(S, Polynomial::Symbol(Symbols.size()));
  return Polynomial::symbol(It->second);
}

std::optional<BlockVectors::Extent> BlockVectors::extentOf(const Access &A) {
  std::optional<EntryBounds::Interval> Ends =
      Limits.of(SE.removePointerBase(SE.getSCEV(A.Pointer)));
  std::optional<EntryBounds::Interval> Bytes = Limits.of(A.Bytes);
  Limits.forget(0);
  if (!Ends || !Bytes)
    return std::nullopt;
  Extent E{read(Ends->Least), read(Ends->Greatest) + read(Bytes->Greatest)};
  if (!E.First.isValid() || !E.End.isValid())
    return std::nullopt;
  return E;
}

/// The code says that \p A and \p B are apart: while one of the loops around
/// both runs, or in an iteration of the innermost one.
bool BlockVectors::areKnownApart(Instruction &A, Instruction &B) {
  SmallVector<const Loop *, 4> AroundA, AroundB;
  for (auto [I, Around] : {std::pair(&A, &AroundA), std::pair(&B, &AroundB)})
    for (const Loop *L = LI.getLoopFor(I->getParent()); L;
         L = L->getParentLoop())
      Around->push_back(L);
  while (!AroundA.empty() && !AroundB.empty()) {
    const Loop *InA = AroundA.pop_back_val(), *InB = AroundB.pop_back_val();
    if (Ranges.areDisjoint(A, InA, B, InB))
      return true;
    if (InA != InB)
      return false;
  }
  return Ranges.areDisjoint(A, AroundA.empty() ? nullptr : AroundA.back(), B,
                            AroundB.empty() ? nullptr : AroundB.back());
}

/// \p Written is a sum that stands in memory while its loop runs, since the
/// loop may also access it as \p Other, for all that the optimizer knows.
bool BlockVectors::keepsInMemory(const Access &Written, const Access &Other) {
  const Loop *L = LI.getLoopFor(Written.I->getParent());
  return isa<StoreInst>(Written.I) && L->contains(Other.I) &&
         SE.isLoopInvariant(SE.getSCEV(Written.Pointer), L) &&
         !SE.isLoopInvariant(SE.getSCEV(Other.Pointer), L);
}

/// Something that is wanted may be overwritten by a store to another vector,
/// for all that the code says. (Block operations are not compared there.)
bool BlockVectors::needTest(ArrayRef<Access> All, ArrayRef<unsigned> Of) {
  for (auto [Written, Own] : zip(All, Of)) {
    if (!Written.Writes || !LI.getLoopFor(Written.I->getParent()))
      continue;
    for (auto [Other, Its] : zip(All, Of))
      if (Own != Its &&
          (keepsInMemory(Written, Other) ||
           (Other.IsWanted && !areKnownApart(*Written.I, *Other.I))))
        return true;
  }
  return false;
}

std::optional<BlockVectors::Numbers>
BlockVectors::tellApart(ArrayRef<Access> All) {
  if (All.size() > MaxAccesses)
    return std::nullopt;
  MapVector<const SCEV *, Extent> Vectors;
  for (const Access &A : All) {
    std::optional<Extent> E = extentOf(A);
    if (!E)
      return std::nullopt;
    auto [It, New] = Vectors.try_emplace(A.Begin, *E);
    Extent &Whole = It->second;
    const Sign Before = signOf(E->First - Whole.First);
    const Sign Behind = signOf(E->End - Whole.End);
    if (Before == Sign::Unknown || Behind == Sign::Unknown)
      return std::nullopt;
    if (Before == Sign::Negative)
      Whole.First = E->First;
    if (Behind == Sign::Positive)
      Whole.End = E->End;
  }
  // What overlaps is one vector, and so may overlap what it did not before.
  SmallVector<unsigned, 8> Joined(Vectors.size());
  SmallVector<Extent, 8> Extents;
  for (auto [I, V] : enumerate(Vectors)) {
    Joined[I] = I;
    Extents.push_back(V.second);
  }
  auto overlap = [](const Extent &A, const Extent &B) {
    return signOf(A.End - B.First) == Sign::Positive &&
           signOf(B.End - A.First) == Sign::Positive;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned I = 0; I < Joined.size(); ++I)
      for (unsigned J = 0; J < I; ++J) {
        if (Joined[I] == Joined[J] || !overlap(Extents[I], Extents[J]))
          continue;
        Extent Both = Extents[J];
        if (signOf(Extents[I].First - Both.First) == Sign::Negative)
          Both.First = Extents[I].First;
        if (signOf(Extents[I].End - Both.End) == Sign::Positive)
          Both.End = Extents[I].End;
        const unsigned From = Joined[I], To = Joined[J];
        for (unsigned K = 0; K < Joined.size(); ++K) {
          if (Joined[K] == From)
            Joined[K] = To;
          if (Joined[K] == To)
            Extents[K] = Both;
        }
        Changed = true;
      }
  }
  Numbers Of;
  for (const Access &A : All)
    Of.push_back(Joined[std::distance(Vectors.begin(), Vectors.find(A.Begin))]);
  if (all_equal(Of) || !needTest(All, Of))
    return std::nullopt;
  return Of;
}

} // namespace adze
