// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/Polynomial.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ConstraintSystem.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace llvm;

namespace adze {

namespace {

constexpr size_t MaxTerms = 48;
constexpr size_t MaxDegree = 4;
/// Elimination squares the number of rows at worst.
constexpr size_t MaxUnknowns = 12;

} // namespace

Polynomial::Polynomial(int64_t Constant) { add({}, Constant); }

Polynomial Polynomial::symbol(Symbol S) {
  Polynomial P;
  P.add({S}, 1);
  return P;
}

Polynomial Polynomial::invalid() {
  Polynomial P;
  P.Valid = false;
  return P;
}

/// Where \p M is or belongs.
Polynomial::TermList::iterator Polynomial::place(const Monomial &M) {
  return partition_point(Terms, [&](const auto &T) { return T.first < M; });
}

void Polynomial::erase(const Monomial &M) {
  auto It = place(M);
  if (It != Terms.end() && It->first == M)
    Terms.erase(It);
}

void Polynomial::add(const Monomial &M, int64_t Coefficient) {
  if (Coefficient == 0)
    return;
  auto It = place(M);
  if (It == Terms.end() || It->first != M)
    It = Terms.insert(It, {M, Coefficient});
  else if (AddOverflow(It->second, Coefficient, It->second))
    Valid = false;
  if (It->second == 0)
    Terms.erase(It);
  if (Terms.size() > MaxTerms || M.size() > MaxDegree)
    Valid = false;
}

Polynomial Polynomial::operator+(const Polynomial &Other) const {
  Polynomial Sum = *this;
  Sum.Valid &= Other.Valid;
  for (const auto &[M, C] : Other.Terms)
    Sum.add(M, C);
  return Sum;
}

Polynomial Polynomial::operator-(const Polynomial &Other) const {
  Polynomial Difference = *this;
  Difference.Valid &= Other.Valid;
  for (const auto &[M, C] : Other.Terms) {
    if (C == INT64_MIN)
      return invalid();
    Difference.add(M, -C);
  }
  return Difference;
}

Polynomial Polynomial::operator*(const Polynomial &Other) const {
  Polynomial Product;
  Product.Valid = Valid && Other.Valid;
  for (const auto &[M, C] : Terms)
    for (const auto &[N, D] : Other.Terms) {
      Monomial Both = M;
      append_range(Both, N);
      sort(Both);
      int64_t Coefficient;
      if (!Product.Valid || MulOverflow(C, D, Coefficient))
        return invalid();
      Product.add(Both, Coefficient);
    }
  return Product;
}

Polynomial Polynomial::modulo(const Polynomial &Size) const {
  if (!Size.Valid || Size.Terms.size() != 1 || Size.Terms.begin()->second <= 0)
    return invalid();
  const auto &[Factors, Unit] = *Size.Terms.begin();
  Polynomial Rest = *this;
  for (const auto &[M, C] : Terms) {
    if (M.empty() && Factors.empty()) {
      int64_t Over = C % Unit;
      if (Over > Unit / 2)
        Over -= Unit;
      else if (Over < -(Unit / 2))
        Over += Unit;
      Rest.erase(M);
      Rest.add(M, Over);
    } else if (C % Unit == 0 && std::includes(M.begin(), M.end(),
                                              Factors.begin(), Factors.end())) {
      Rest.erase(M);
    }
  }
  return Rest;
}

bool Polynomial::contains(Symbol S) const {
  return any_of(Terms, [S](const auto &T) { return is_contained(T.first, S); });
}

Polynomial Polynomial::with(Symbol S, const Polynomial &Value) const {
  Polynomial Result;
  Result.Valid = Valid && Value.Valid;
  for (const auto &[M, C] : Terms) {
    const size_t Power = llvm::count(M, S);
    if (Power == 0) {
      Result.add(M, C);
      continue;
    }
    Monomial Others;
    copy_if(M, std::back_inserter(Others), [&](Symbol F) { return F != S; });
    Polynomial Term;
    Term.add(Others, C);
    for (size_t I = 0; I < Power; ++I)
      Term = Term * Value;
    Result.Valid &= Term.Valid;
    for (const auto &[N, D] : Term.Terms)
      Result.add(N, D);
  }
  return Result;
}

int64_t Polynomial::constantTerm() const {
  return Terms.empty() || !Terms.front().first.empty() ? 0
                                                       : Terms.front().second;
}

bool Polynomial::hasNoNegativeTerm() const {
  return Valid && all_of(Terms, [](const auto &T) { return T.second >= 0; });
}

Polynomial coefficientOf(const Polynomial &P, Polynomial::Symbol S) {
  const Polynomial Zero(0), One(1);
  const Polynomial At0 = P.with(S, Zero);
  const Polynomial Slope = P.with(S, One) - At0;
  const Polynomial Rest = P - At0 - Slope * Polynomial::symbol(S);
  return Rest.isValid() && Rest.terms().empty() ? Slope : Polynomial::invalid();
}

std::optional<int64_t> constantOf(const Polynomial &P) {
  if (!P.isValid() || P.terms().size() > 1)
    return std::nullopt;
  if (P.terms().empty())
    return 0;
  const auto &[M, Coefficient] = *P.terms().begin();
  return M.empty() ? std::optional(Coefficient) : std::nullopt;
}

bool areEqual(const Polynomial &A, const Polynomial &B) {
  return constantOf(A - B) == 0;
}

// That depends on the remainders of the symbols only.
bool isMultipleOf(const Polynomial &P, int64_t Divisor) {
  constexpr uint64_t MaxCases = 64;
  if (!P.isValid())
    return false;
  if (all_of(P.terms(), [&](const auto &T) { return T.second % Divisor == 0; }))
    return true;
  SmallSetVector<Polynomial::Symbol, 4> Symbols;
  for (const auto &[M, C] : P.terms())
    Symbols.insert(M.begin(), M.end());
  uint64_t Cases = 1;
  for (size_t I = 0; I < Symbols.size(); ++I)
    if ((Cases *= uint64_t(Divisor)) > MaxCases)
      return false;
  for (uint64_t Case = 0; Case < Cases; ++Case) {
    Polynomial Value = P;
    uint64_t Rest = Case;
    for (Polynomial::Symbol S : Symbols) {
      Value = Value.with(S, Polynomial(int64_t(Rest % uint64_t(Divisor))));
      Rest /= uint64_t(Divisor);
    }
    std::optional<int64_t> Number = constantOf(Value);
    if (!Number || *Number % Divisor != 0)
      return false;
  }
  return true;
}

// If the terms do not show it, Fourier's and Motzkin's elimination may, with
// each monomial for an unknown.
bool isAtLeast(const Polynomial &P, int64_t Least,
               ArrayRef<Polynomial> NonNegative) {
  Polynomial Excess = P - Polynomial(Least);
  if (!Excess.isValid() || Excess.hasNoNegativeTerm())
    return Excess.isValid();
  std::map<Polynomial::Monomial, size_t> Place;
  auto place = [&](const Polynomial &Q) {
    for (const auto &[M, C] : Q.terms())
      if (!M.empty())
        Place.try_emplace(M, Place.size() + 1);
  };
  place(Excess);
  for (const Polynomial &Q : NonNegative)
    if (Q.isValid())
      place(Q);
  if (Place.size() > MaxUnknowns)
    return false;
  // constant >= sum of coefficient * unknown
  using Row = SmallVector<int64_t, MaxUnknowns + 1>;
  auto rowOf = [&](const Polynomial &Q, int64_t Sign) {
    Row R(Place.size() + 1, 0);
    for (const auto &[M, C] : Q.terms())
      if (M.empty() ? MulOverflow(C, Sign, R[0])
                    : MulOverflow(C, -Sign, R[Place[M]]))
        return Row();
    return R;
  };
  ConstraintSystem System;
  for (const Polynomial &Q : NonNegative)
    if (Row R = Q.isValid() ? rowOf(Q, 1) : Row(); !R.empty())
      System.addVariableRow(R);
  for (const auto &[M, At] : Place) {
    Row R(Place.size() + 1, 0);
    R[At] = -1;
    System.addVariableRow(R);
  }
  // That it is less has no solution.
  Row Less = rowOf(Excess + Polynomial(1), -1);
  return !Less.empty() && System.addVariableRow(Less) &&
         !System.mayHaveSolution();
}

std::optional<Polynomial>
polynomialOf(const SCEV *S, ScalarEvolution &SE,
             function_ref<Polynomial(const SCEV *)> Part,
             function_ref<Polynomial(const Loop &)> Counter) {
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return C->getAPInt().getSignificantBits() <= 64
               ? Polynomial(C->getAPInt().getSExtValue())
               : Polynomial::invalid();
  if (auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
    Polynomial Result(0);
    for (const SCEV *Op : Sum->operands())
      Result = Result + Part(Op);
    return Result;
  }
  if (auto *Product = dyn_cast<SCEVMulExpr>(S)) {
    Polynomial Result(1);
    for (const SCEV *Op : Product->operands())
      Result = Result * Part(Op);
    return Result;
  }
  if (auto *Advance = dyn_cast<SCEVAddRecExpr>(S))
    return Advance->isAffine() ? Part(Advance->getStart()) +
                                     Part(Advance->getStepRecurrence(SE)) *
                                         Counter(*Advance->getLoop())
                               : Polynomial::invalid();
  return std::nullopt;
}

} // namespace adze
