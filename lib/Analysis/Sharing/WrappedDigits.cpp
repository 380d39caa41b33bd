// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   (d + c) % n          d + 1 == n ? 0 : d + 1         d == 0 ? n - 1 : d - 1
//
// For a digit d below n, and for c at least 0, that is a digit again: it tells
// as much, only in another order, as neighbours in a periodic grid do. Where d
// may be more, several threads have it; but a remainder stays below n.
#include "Analysis/Sharing/LaunchForms.h"

#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

bool isZero(const Polynomial &P) { return constantOf(P) == 0; }

} // namespace

/// \p P as a digit that tells of threads, and what is the same in all of them.
std::optional<LaunchForms::Shifted>
LaunchForms::shiftedDigit(const Polynomial &Of) const {
  const Polynomial P = joined(Of);
  std::optional<Shifted> Result;
  for (const auto &[S, D] : Digits) {
    const Polynomial Times = coefficientOf(P, S);
    if (Times.isValid() && isZero(Times))
      continue;
    if (Result || constantOf(Times) != 1 || !D.Tells)
      return std::nullopt;
    Result = {S, P.with(S, Polynomial(0))};
  }
  return Result && Result->By.isValid() && !hasDigits(Result->By)
             ? Result
             : std::nullopt;
}

/// Where the access is, \p D is less than \p Bound.
bool LaunchForms::isBelow(Polynomial::Symbol D, const Polynomial &Bound,
                          LaunchForm &F) {
  LaunchForm Alone;
  const std::optional<Polynomial> &Own = Digits.at(D).Bound;
  Alone.Parts.push_back(
      {D, Polynomial(1), {Own.value_or(Polynomial::invalid())}});
  InGuards = true;
  addGuards(*At, Alone);
  InGuards = false;
  if (none_of(Alone.Parts.front().Bounds,
              [&](const Polynomial &P) { return areEqual(P, Bound); }))
    return false;
  append_range(F.Fits, Alone.Fits);
  return true;
}

/// (D + C) % N as a digit.
Polynomial LaunchForms::wrapped(const Shifted &Of, const Polynomial &N) {
  auto Same = find_if(Wraps, [&](const Wrap &W) {
    return W.Of.Digit == Of.Digit && areEqual(W.Of.By, Of.By) &&
           areEqual(W.Count, N);
  });
  if (Same != Wraps.end())
    return Polynomial::symbol(Same->Digit);
  Wraps.push_back({Of, N, Next});
  Digits[Next] = {Digits.at(Of.Digit).Tells, N};
  return Polynomial::symbol(Next++);
}

/// \p S as a number: it has not wrapped around in its type.
Polynomial LaunchForms::fitting(const SCEV *S, LaunchForm &F) {
  if (M.SE.getTypeSizeInBits(S->getType()) < 32)
    return exact(S, /*Signed=*/false, F);
  const Polynomial Result = joined(polynomial(S, F));
  return Result.isValid() && addFitting(Result, F) ? Result
                                                   : Polynomial::invalid();
}

/// \p E % \p N.
std::optional<Polynomial>
LaunchForms::remainder(const SCEV *E, const Polynomial &N, LaunchForm &F) {
  std::optional<Shifted> D = shiftedDigit(fitting(E, F));
  if (!D || !N.isValid() || hasDigits(N) || !addFitting(N, F))
    return std::nullopt;
  F.Fits.append({D->By, N});
  return wrapped(*D, N);
}

/// As a digit of which nothing is known.
std::optional<Polynomial> LaunchForms::quotient(const SCEVUDivExpr &S,
                                                LaunchForm &F) {
  const SCEV *E = S.getLHS();
  const Polynomial N = polynomial(S.getRHS(), F);
  const std::optional<Polynomial> Rest = remainder(E, N, F);
  if (!Rest)
    return std::nullopt;
  const Polynomial Whole = polynomial(E, F) - *Rest;
  auto Same = find_if(Quotients, [&](const Quotient &Q) {
    return areEqual(Q.Whole, Whole) && areEqual(Q.By, N);
  });
  if (Same != Quotients.end())
    return Polynomial::symbol(Same->Digit);
  Quotients.push_back({Whole, N, Next});
  Digits[Next] = {};
  return Polynomial::symbol(Next++);
}

/// Multiples of x / n * n are such of x - x % n: that is what LLVM makes of
/// remainders without sign.
Polynomial LaunchForms::withoutQuotients(Polynomial P) const {
  for (const Quotient &Q : Quotients) {
    const auto &Of = Q.By.terms();
    const Polynomial Times = coefficientOf(P, Q.Digit);
    if (!Times.isValid() || isZero(Times) || Of.size() != 1 ||
        Of.begin()->first.size() != 1 || Of.begin()->second != 1)
      continue;
    const Polynomial::Symbol N = Of.begin()->first.front();
    const Polynomial Factor = coefficientOf(Times, N);
    if (Factor.isValid() && areEqual(Factor * Q.By, Times))
      P = P.with(Q.Digit, Polynomial(0)) + Factor * Q.Whole;
  }
  return P;
}

/// Whether several threads may have a digit of \p F that is not what it tells.
bool LaunchForms::mayBeShared(LaunchForm &F) {
  auto isShared = [&](Polynomial::Symbol S) {
    for (;;) {
      if (any_of(Quotients, [&](const Quotient &Q) { return Q.Digit == S; }))
        return true;
      auto W = find_if(Wraps, [&](const Wrap &W) { return W.Digit == S; });
      if (W == Wraps.end())
        return false;
      if (!isBelow(W->Of.Digit, W->Count, F))
        return true;
      S = W->Of.Digit;
    }
  };
  bool Result = false;
  for (size_t I = 0; I < F.Parts.size(); ++I)
    Result |= isShared(F.Parts[I].Digit);
  return Result;
}

/// When a select takes its first value: where a digit is at least, at most, or
/// just \p Than.
struct LaunchForms::Threshold {
  enum { AtLeast, AtMost, Just } Is;
  Polynomial::Symbol Digit;
  Polynomial Than;
  bool Holds; // or does not
};

std::optional<LaunchForms::Threshold>
LaunchForms::thresholdOf(const ICmpInst &Compare, LaunchForm &F) {
  auto Is = Compare.getPredicate();
  if (!Compare.getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  Polynomial A = fitting(M.SE.getSCEV(Compare.getOperand(0)), F);
  Polynomial B = fitting(M.SE.getSCEV(Compare.getOperand(1)), F);
  const bool HaveSigns = !A.hasNoNegativeTerm() || !B.hasNoNegativeTerm();
  if (!A.isValid() || !B.isValid() || (ICmpInst::isUnsigned(Is) && HaveSigns))
    return std::nullopt;
  if (ICmpInst::isLT(Is) || ICmpInst::isLE(Is)) {
    std::swap(A, B);
    Is = ICmpInst::getSwappedPredicate(Is);
  }
  // A - B is at least this.
  const Polynomial Least(ICmpInst::isGT(Is) ? 1 : 0);
  const bool Equal = ICmpInst::isEquality(Is);
  const bool Holds = Is != ICmpInst::ICMP_NE;
  if (std::optional<Shifted> D = shiftedDigit(A - B))
    return {{Equal ? Threshold::Just : Threshold::AtLeast, D->Digit,
             Least - D->By, Holds}};
  if (std::optional<Shifted> D = shiftedDigit(B - A))
    return {{Equal ? Threshold::Just : Threshold::AtMost, D->Digit,
             Polynomial(0) - D->By - Least, Holds}};
  return std::nullopt;
}

/// With a digit d: Lower where it is less than Than, else Upper.
struct LaunchForms::Step {
  Polynomial::Symbol Digit;
  Polynomial Than, Lower, Upper;
  bool IsLast; // no digit is more than Than, or this is wrong
};

std::optional<LaunchForms::Step> LaunchForms::stepOf(SelectInst &Select,
                                                     LaunchForm &F) {
  auto *Compare = dyn_cast<ICmpInst>(Select.getCondition());
  std::optional<Threshold> When =
      Compare ? thresholdOf(*Compare, F) : std::nullopt;
  if (!When)
    return std::nullopt;
  Polynomial Then = fitting(M.SE.getSCEV(Select.getTrueValue()), F);
  Polynomial Else = fitting(M.SE.getSCEV(Select.getFalseValue()), F);
  if (!When->Holds)
    std::swap(Then, Else);
  const bool Just = When->Is == Threshold::Just;
  if (When->Is == Threshold::AtMost || (Just && isZero(When->Than)))
    return {{When->Digit, When->Than + Polynomial(1), Then, Else, false}};
  return {{When->Digit, When->Than, Else, Then, Just}};
}

/// What a select makes of a digit, as one that goes round.
std::optional<Polynomial> LaunchForms::choice(SelectInst &Select,
                                              LaunchForm &F) {
  std::optional<Step> S = stepOf(Select, F);
  if (!S || !S->Lower.isValid() || !S->Upper.isValid())
    return std::nullopt;
  const Polynomial D = Polynomial::symbol(S->Digit), One(1);
  Polynomial Lower = S->Lower, Upper = S->Upper;
  if (hasDigits(Lower) && !hasDigits(Upper)) {
    // The last one, d = Than, is put where another one goes.
    if (!areEqual(Lower - D - One, Upper))
      return std::nullopt;
    Upper = Upper + D - S->Than;
  } else if (hasDigits(Upper) && !hasDigits(Lower)) {
    // The first one, d = 0.
    if (!areEqual(S->Than, One))
      return std::nullopt;
    Lower = Lower + D;
  }
  // They differ by the number of places.
  for (bool Falls : {true, false}) {
    const Polynomial Count = Falls ? Lower - Upper : Upper - Lower;
    const Polynomial By = Count - S->Than;
    if (!Count.isValid() || hasDigits(Count) || hasDigits(By) ||
        (S->IsLast && constantOf(By) != 1) || !isBelow(S->Digit, Count, F))
      continue;
    F.Fits.append({Count, By, Count - By});
    const Polynomial Steps = D + By - wrapped({S->Digit, By}, Count);
    return Falls ? Lower - Steps : Lower + Steps;
  }
  return std::nullopt;
}

std::optional<Polynomial> LaunchForms::wrappedOf(const SCEV *S, LaunchForm &F) {
  if (InGuards || !S->getType()->isIntegerTy() || isUniform(S))
    return std::nullopt;
  // x & 63 is the lower bits.
  if (auto *Wide = dyn_cast<SCEVZeroExtendExpr>(S))
    if (auto *Low = dyn_cast<SCEVTruncateExpr>(Wide->getOperand());
        Low && Low->getType()->getIntegerBitWidth() < 31)
      return remainder(
          Low->getOperand(),
          Polynomial(int64_t(1) << Low->getType()->getIntegerBitWidth()), F);
  if (auto *Division = dyn_cast<SCEVUDivExpr>(S))
    return isUniform(Division->getRHS()) ? quotient(*Division, F)
                                         : std::nullopt;
  auto *Leaf = dyn_cast<SCEVUnknown>(S);
  if (!Leaf)
    return std::nullopt;
  Value *V = Leaf->getValue(), *X = nullptr, *Y = nullptr;
  if (match(V, m_SRem(m_Value(X), m_Value(Y))) ||
      match(V, m_URem(m_Value(X), m_Value(Y)))) {
    const SCEV *By = M.SE.getSCEV(Y);
    return isUniform(By) ? remainder(M.SE.getSCEV(X), polynomial(By, F), F)
                         : std::nullopt;
  }
  auto *Select = dyn_cast<SelectInst>(V);
  return Select ? choice(*Select, F) : std::nullopt;
}

} // namespace adze
