// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/AccessCase.h"
#include "Loops/EntryGuards.h"

#include "llvm/IR/Instructions.h"

#include <map>

using namespace llvm;

namespace adze {

/// Nesting of the expression of an address.
static constexpr unsigned MaxDepth = 12;

AccessOrder::Case::Case(ScalarEvolution &SE, const LoopInfo &LI,
                        const Walk &FirstWalk, const Walk &LaterWalk,
                        size_t Common, size_t Level)
    : SE(SE), LI(LI), First{FirstWalk, {}, {}}, Later{LaterWalk, {}, {}} {
  for (size_t I = 0; I < First.W.Around.size(); ++I)
    First.Counters.push_back(symbol());
  for (size_t I = 0; I < Later.W.Around.size(); ++I) {
    if (I < std::min(Level, Common))
      Later.Counters.push_back(First.Counters[I]);
    else if (I == Level && Level < Common)
      Later.Counters.push_back(First.Counters[I] + Polynomial(1) + symbol());
    else
      Later.Counters.push_back(symbol());
  }
  // The bounds of the loops that Later has iterated further are sharper.
  size_t Apart = std::min(Level + 1, Common);
  for (size_t I = First.W.Around.size(); I > Apart; --I)
    bound(First, I - 1);
  for (size_t I = Later.W.Around.size(); I > 0; --I)
    bound(Later, I - 1);
  for (Execution *E : {&First, &Later}) {
    boundByObject(*E);
    for (const Walk::Condition &C : E->W.If)
      assume(*E, C);
  }
  if (First.W.Rows)
    for (Polynomial *Each : {&RowSize, &BeforeRow})
      *Each = symbol();
  const Polynomial From = offsetIn(First);
  this->Apart = offsetIn(Later) - From;
}

/// Both have run, and so have been let into their loops.
Polynomial AccessOrder::Case::guarded(const SCEV *S, const Execution &E) {
  auto innermost = [](const Walk &W) {
    return W.Around.empty() ? nullptr : W.Around.back();
  };
  return of(underGuards(S, {innermost(First.W), innermost(Later.W)}, LI, SE),
            E);
}

/// Where \p E accesses something, from the base. Rows behind pointers are at
/// least as far apart as columns may be.
Polynomial AccessOrder::Case::offsetIn(Execution &E) {
  Polynomial Offset = guarded(E.W.Offset, E);
  if (!E.W.Rows || !Offset.isValid())
    return Offset;
  const Polynomial Column = Offset + BeforeRow;
  E.Bounds.push_back(Column);
  E.Bounds.push_back(RowSize - Polynomial(E.W.Size) - Column);
  return guarded(E.W.Slot, E) * RowSize + Offset;
}

void AccessOrder::Case::bound(Execution &E, size_t Loop) {
  const SCEV *Last = SE.getSymbolicMaxBackedgeTakenCount(E.W.Around[Loop]);
  if (isa<SCEVCouldNotCompute>(Last) ||
      SE.getTypeSizeInBits(Last->getType()) > 64)
    return;
  Last = SE.getNoopOrZeroExtend(Last, Type::getInt64Ty(SE.getContext()));
  // 2^64 - 1 where nothing is known: no number of those below.
  if (auto *C = dyn_cast<SCEVConstant>(Last); C && C->getAPInt().isNegative())
    return;
  auto add = [&](const SCEV *S) {
    Polynomial Rest = guarded(S, E) - E.Counters[Loop];
    if (Rest.isValid())
      E.Bounds.push_back(std::move(Rest));
  };
  if (auto *Least = dyn_cast<SCEVUMinExpr>(Last))
    for (const SCEV *Op : Least->operands())
      add(Op);
  else
    add(Last);
}

/// The greatest value of the counter of a loop around \p E.
Polynomial AccessOrder::Case::lastOf(size_t Loop, const Execution &E) {
  const SCEV *Last = SE.getBackedgeTakenCount(E.W.Around[Loop]);
  return SE.getTypeSizeInBits(Last->getType()) > 64
             ? Polynomial::invalid()
             : guarded(SE.getNoopOrZeroExtend(
                           Last, Type::getInt64Ty(SE.getContext())),
                       E);
}

/// What is accessed in the last iterations of the loops from \p From on.
Polynomial AccessOrder::Case::lastOffset(const Execution &E, size_t From) {
  Execution Last{E.W, E.Counters, {}};
  for (size_t I = From; I < E.W.Around.size(); ++I)
    Last.Counters[I] = lastOf(I, Last);
  return guarded(E.W.Offset, Last);
}

/// What is accessed lies in the object: in a[40][40] no row behind the last, so
/// that in a triangle no column is, either; nor is the end of any row, if each
/// of them is walked to the same column.
void AccessOrder::Case::boundByObject(Execution &E) {
  if (E.W.Object < uint64_t(E.W.Size) || E.W.Object > INT64_MAX)
    return;
  const int64_t Last = int64_t(E.W.Object) - E.W.Size;
  std::map<Polynomial::Symbol, int64_t> Greatest; // few bounds: see isAtLeast
  for (size_t From = E.W.Whole; From <= E.W.Around.size(); ++From) {
    const Polynomial Offset = lastOffset(E, From);
    const Polynomial Begin(Offset.constantTerm());
    const std::optional<int64_t> Room = constantOf(Polynomial(Last) - Begin);
    const Polynomial Advance = Offset - Begin;
    if (!Room || !Advance.hasNoNegativeTerm())
      continue;
    for (const auto &[M, C] : Advance.terms()) {
      if (M.size() != 1 || C <= E.W.Size)
        continue;
      auto [At, New] = Greatest.try_emplace(M.front(), *Room / C);
      At->second = std::min(At->second, *Room / C);
    }
  }
  for (const auto &[S, Most] : Greatest)
    E.Bounds.push_back(Polynomial(Most) - Polynomial::symbol(S));
}

void AccessOrder::Case::assume(Execution &E, const Walk::Condition &C) {
  Polynomial Left = guarded(C.Left, E), Right = guarded(C.Right, E);
  Polynomial More = Right - Left, Less = Left - Right;
  if (!More.isValid())
    return;
  // What bounds a counter that both have may stand with the other one.
  std::vector<Polynomial> Bounds = First.Bounds;
  append_range(Bounds, Later.Bounds);
  auto isNonNegative = [&](const Polynomial &Q) {
    return isAtLeast(Q, 0, Bounds);
  };
  switch (C.Is) {
  case ICmpInst::ICMP_ULT:
  case ICmpInst::ICMP_ULE:
    if (!isNonNegative(Right))
      return;
    break;
  case ICmpInst::ICMP_UGT:
  case ICmpInst::ICMP_UGE:
    if (!isNonNegative(Left))
      return;
    break;
  default:
    break;
  }
  switch (C.Is) {
  case ICmpInst::ICMP_SLT:
  case ICmpInst::ICMP_ULT:
    E.Bounds.push_back(More - Polynomial(1));
    break;
  case ICmpInst::ICMP_SGT:
  case ICmpInst::ICMP_UGT:
    E.Bounds.push_back(Less - Polynomial(1));
    break;
  case ICmpInst::ICMP_NE:
    if (isNonNegative(More))
      E.Bounds.push_back(More - Polynomial(1));
    else if (isNonNegative(Less))
      E.Bounds.push_back(Less - Polynomial(1));
    break;
  case ICmpInst::ICMP_SLE:
  case ICmpInst::ICMP_ULE:
    E.Bounds.push_back(More);
    break;
  case ICmpInst::ICMP_SGE:
  case ICmpInst::ICMP_UGE:
    E.Bounds.push_back(Less);
    break;
  case ICmpInst::ICMP_EQ:
    E.Bounds.push_back(More);
    E.Bounds.push_back(Less);
    break;
  default:
    break;
  }
}

bool AccessOrder::Case::isNonNegative(const SCEV *S, const Execution &E) {
  return SE.isKnownNonNegative(S) ||
         (!E.W.Around.empty() &&
          SE.isLoopEntryGuardedByCond(E.W.Around.front(), ICmpInst::ICMP_SGE, S,
                                      SE.getZero(S->getType())));
}

/// n + 1, extended by zeros, if n is not negative and the sum does not wrap.
std::optional<Polynomial> AccessOrder::Case::ofExtendedSum(const SCEV *S,
                                                           const Execution &E) {
  auto *Wide = dyn_cast<SCEVZeroExtendExpr>(S);
  auto *Sum = Wide ? dyn_cast<SCEVAddExpr>(Wide->getOperand()) : nullptr;
  auto *More = Sum ? dyn_cast<SCEVConstant>(Sum->getOperand(0)) : nullptr;
  if (!More || Sum->getNumOperands() != 2 || !Sum->hasNoSignedWrap() ||
      More->getAPInt().isNegative() || More->getAPInt().getActiveBits() > 32 ||
      !isNonNegative(Sum->getOperand(1), E))
    return std::nullopt;
  return unknown(SE.getZeroExtendExpr(Sum->getOperand(1), S->getType()), E) +
         Polynomial(More->getAPInt().getSExtValue());
}

/// A number that does not vary.
Polynomial AccessOrder::Case::unknown(const SCEV *S, const Execution &E) {
  bool Varies = SCEVExprContains(S, [&](const SCEV *Part) {
    auto *Value = dyn_cast<SCEVUnknown>(Part);
    auto *I = Value ? dyn_cast<Instruction>(Value->getValue()) : nullptr;
    return isa<SCEVAddRecExpr, SCEVCouldNotCompute>(Part) ||
           (I && LI.getLoopFor(I->getParent()));
  });
  if (Varies)
    return Polynomial::invalid();
  if (std::optional<Polynomial> Sum = ofExtendedSum(S, E))
    return *Sum;
  // Both extensions of a number that is not negative are one.
  if (auto *Signed = dyn_cast<SCEVSignExtendExpr>(S))
    if (isNonNegative(Signed->getOperand(), E))
      S = SE.getZeroExtendExpr(Signed->getOperand(), S->getType());
  auto Known = Unknowns.find(S);
  if (Known != Unknowns.end())
    return Known->second;
  // The difference of two such numbers may be any number.
  Polynomial Number = symbol();
  if (!isNonNegative(S, E))
    Number = Number - symbol();
  return Unknowns[S] = Number;
}

/// Factor * (Dividend / Divisor), of which nothing is cut off: of a triangle
/// that is packed by rows, 8 * (i * (i + 1) / 2).
Polynomial AccessOrder::Case::ofQuotient(const SCEVConstant &Factor,
                                         const SCEVUDivExpr &Quotient,
                                         const Execution &E, unsigned Depth) {
  auto *By = dyn_cast<SCEVConstant>(Quotient.getRHS());
  if (!By || By->getAPInt().getActiveBits() > 32 ||
      !Factor.getAPInt().isSignedIntN(64))
    return Polynomial::invalid();
  const int64_t Divisor = By->getAPInt().getSExtValue();
  const int64_t Times = Factor.getAPInt().getSExtValue();
  Polynomial Dividend = of(Quotient.getLHS(), E, Depth + 1);
  if (Times % Divisor != 0 || !isMultipleOf(Dividend, Divisor))
    return Polynomial::invalid();
  return Dividend * Polynomial(Times / Divisor);
}

/// {A,+,B,+,C} is A + B * i + C * i * (i - 1) / 2.
Polynomial AccessOrder::Case::ofAdvance(const SCEVAddRecExpr &Advance,
                                        const Execution &E, unsigned Depth) {
  std::optional<int64_t> Twice =
      Advance.getNumOperands() == 3
          ? constantOf(of(Advance.getOperand(2), E, Depth + 1))
          : std::nullopt;
  if (!Twice || *Twice % 2 != 0)
    return Polynomial::invalid();
  const Polynomial Counter = counterOf(*Advance.getLoop(), E);
  return of(Advance.getStart(), E, Depth + 1) +
         of(Advance.getOperand(1), E, Depth + 1) * Counter +
         Polynomial(*Twice / 2) * Counter * (Counter - Polynomial(1));
}

/// Where \p E is, by what is known of the loops around.
bool AccessOrder::Case::isAtMost(const SCEV *A, const SCEV *B, bool Signed,
                                 const Execution &E, unsigned Depth) {
  if (Depth > MaxDepth)
    return false;
  auto isAtMostB = [&](const SCEV *Op) {
    return isAtMost(Op, B, Signed, E, Depth + 1);
  };
  auto isAtLeastA = [&](const SCEV *Op) {
    return isAtMost(A, Op, Signed, E, Depth + 1);
  };
  if (auto *Least = dyn_cast<SCEVSMinExpr>(B); Least && Signed)
    return all_of(Least->operands(), isAtLeastA);
  if (auto *Greatest = dyn_cast<SCEVSMaxExpr>(A); Greatest && Signed)
    return all_of(Greatest->operands(), isAtMostB);
  if (Signed &&
      adze::isAtLeast(of(B, E, Depth + 1) - of(A, E, Depth + 1), 0, {}))
    return true;
  auto isLess = [&](const SCEV *Less) {
    const ICmpInst::Predicate Is =
        Signed ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_ULT;
    return SE.isKnownPredicate(Is, Less, B) ||
           any_of(E.W.Around, [&](const Loop *L) {
             return SE.isLoopInvariant(Less, L) && SE.isLoopInvariant(B, L) &&
                    SE.isLoopEntryGuardedByCond(L, Is, Less, B);
           });
  };
  return isLess(A) || isLess(SE.getMinusSCEV(A, SE.getOne(A->getType())));
}

/// Such as the end of a block, min(b + 24, n): one of the two, if it is known
/// which one; else a number that is not more than any of them. Which one it is
/// may differ between the two executions.
Polynomial AccessOrder::Case::ofChoice(const SCEVMinMaxExpr &Choice,
                                       const Execution &E, unsigned Depth) {
  const bool IsLeast = isa<SCEVSMinExpr, SCEVUMinExpr>(Choice);
  const bool Signed = isa<SCEVSMinExpr, SCEVSMaxExpr>(Choice);
  const Polynomial Fixed = unknown(&Choice, E);
  SmallVector<const SCEV *, 4> Left(Choice.operands());
  for (const SCEV *Op : Choice.operands())
    if (any_of(Left, [&](const SCEV *Other) {
          return Other != Op &&
                 (IsLeast ? isAtMost(Other, Op, Signed, E, Depth)
                          : isAtMost(Op, Other, Signed, E, Depth));
        }))
      erase(Left, Op);
  Chosen New{&Choice, {}, Fixed};
  auto isNeverLess = [](const Polynomial &P) { return isAtLeast(P, 0, {}); };
  for (const SCEV *Op : Left) {
    New.Each.push_back(of(Op, E, Depth + 1));
    if (!New.Each.back().isValid() ||
        (!Signed && !isNeverLess(New.Each.back())))
      return Fixed;
  }
  if (Left.size() == 1 && !Fixed.isValid())
    return New.Each.front();
  for (const Chosen &Known : Choices)
    if (Known.Of == New.Of &&
        equal(Known.Each, New.Each,
              [](const auto &A, const auto &B) { return areEqual(A, B); }))
      return Known.Value;
  if (!Fixed.isValid()) {
    New.Value = symbol();
    if (IsLeast ? !all_of(New.Each, isNeverLess)
                : none_of(New.Each, isNeverLess))
      New.Value = New.Value - symbol();
  }
  for (const Polynomial &P : New.Each)
    ChoiceBounds.push_back(IsLeast ? P - New.Value : New.Value - P);
  Choices.push_back(New);
  return New.Value;
}

Polynomial AccessOrder::Case::counterOf(const Loop &L,
                                        const Execution &E) const {
  auto *At = find(E.W.Around, &L);
  return At == E.W.Around.end() ? Polynomial::invalid()
                                : E.Counters[At - E.W.Around.begin()];
}

Polynomial AccessOrder::Case::of(const SCEV *S, const Execution &E,
                                 unsigned Depth) {
  if (Depth > MaxDepth)
    return Polynomial::invalid();
  if (auto *Product = dyn_cast<SCEVMulExpr>(S))
    if (auto *Factor = dyn_cast<SCEVConstant>(Product->getOperand(0)))
      if (auto *Quotient = dyn_cast<SCEVUDivExpr>(Product->getOperand(1));
          Quotient && Product->getNumOperands() == 2)
        return ofQuotient(*Factor, *Quotient, E, Depth);
  if (auto *Advance = dyn_cast<SCEVAddRecExpr>(S);
      Advance && !Advance->isAffine())
    return ofAdvance(*Advance, E, Depth);
  if (auto *Choice = dyn_cast<SCEVMinMaxExpr>(S))
    return ofChoice(*Choice, E, Depth);
  if (std::optional<Polynomial> Of = polynomialOf(
          S, SE, [&](const SCEV *Part) { return of(Part, E, Depth + 1); },
          [&](const Loop &L) { return counterOf(L, E); }))
    return *Of;
  return unknown(S, E);
}

/// In \p Bound, a symbol that is the rest of the bound and what is taken off
/// it; nothing if what is taken off may be negative.
static std::optional<std::pair<Polynomial::Symbol, Polynomial>>
solved(const Polynomial &Bound) {
  for (const auto &[M, C] : Bound.terms()) {
    if (M.size() != 1 || C != 1)
      continue;
    Polynomial Less = Polynomial::symbol(M.front()) - Bound;
    if (!Less.contains(M.front()) && Less.hasNoNegativeTerm())
      return std::pair(M.front(), Less);
  }
  return std::nullopt;
}

/// What the rows of a matrix may be apart: the factors of counters.
std::vector<Polynomial> AccessOrder::Case::rowSizes() const {
  std::vector<Polynomial> Sizes;
  for (const auto &[M, C] : Apart.terms()) {
    if (M.empty() || C == INT64_MIN)
      continue;
    Sizes.push_back(Polynomial(std::abs(C)));
    for (const auto &[S, Unknown] : Unknowns)
      if (Unknown.terms().size() == 1 && M.size() > 1 &&
          is_contained(M, Unknown.terms().begin()->first.front()))
        Sizes.push_back(Polynomial(std::abs(C)) * Unknown);
    if (First.W.Rows && M.size() > 1 &&
        is_contained(M, RowSize.terms().begin()->first.front()))
      Sizes.push_back(Polynomial(std::abs(C)) * RowSize);
  }
  return Sizes;
}

bool AccessOrder::Case::staysApart(bool FirstsBoundsFirst) const {
  std::vector<Polynomial> Bounds =
      FirstsBoundsFirst ? First.Bounds : Later.Bounds;
  append_range(Bounds, FirstsBoundsFirst ? Later.Bounds : First.Bounds);
  append_range(Bounds, ChoiceBounds);
  Polynomial::Symbol Next = Symbols;
  std::vector<std::pair<Polynomial::Symbol, Polynomial>> Solutions;
  for (size_t I = 0; I < Bounds.size(); ++I) {
    auto Found = solved(Bounds[I]);
    if (!Found)
      continue;
    Found->second = Found->second + Polynomial::symbol(Next++);
    for (Polynomial &Bound : Bounds)
      if (Bound.contains(Found->first))
        Bound = Bound.with(Found->first, Found->second);
    Solutions.push_back(std::move(*Found));
  }
  auto isAtLeast = [&](Polynomial Q, int64_t Least) {
    for (const auto &[S, Value] : Solutions)
      if (Q.contains(S))
        Q = Q.with(S, Value);
    return adze::isAtLeast(Q, Least, Bounds);
  };
  if (isAtLeast(Apart, First.W.Size) ||
      isAtLeast(Polynomial() - Apart, Later.W.Size))
    return true;
  // In another column, whatever the rows: Apart = rows * size + Columns.
  return any_of(rowSizes(), [&](const Polynomial &Size) {
    Polynomial Columns = Apart.modulo(Size);
    return (isAtLeast(Columns, First.W.Size) &&
            isAtLeast(Size - Columns, Later.W.Size)) ||
           (isAtLeast(Polynomial() - Columns, Later.W.Size) &&
            isAtLeast(Size + Columns, First.W.Size));
  });
}

} // namespace adze
