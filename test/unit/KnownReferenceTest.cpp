// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KnownReference.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace adze;

namespace {

const Real Pi = 3.14159265358979323846264338327950288L;

const std::vector<Reals> Anywhere = {{-2.3L}, {-0.4L}, {0.3L}, {0.8L}, {1.9L}};
const std::vector<Reals> Positive = {{0.02L}, {0.7L}, {1.0L}, {5.5L}, {130}};
const std::vector<Reals> InsideOne = {{-0.9L}, {-0.2L}, {0.1L}, {0.75L}};
const std::vector<Reals> AboveOne = {{1.1L}, {2.5L}, {40}};
const std::vector<Reals> Pairs = {
    {0.7L, 1.3L}, {-1.2L, 0.4L}, {2.6L, -0.9L}, {-0.3L, -1.8L}};
const std::vector<Reals> Triples = {{0.7L, 1.3L, -2}, {-1.2L, 0.4L, 3}};
const std::vector<Reals> Steps = {{7.3L, 2.1L}, {-7.3L, 2.1L}, {9.1L, -4}};
const std::vector<Reals> Orders = {{0, 1.7L}, {1, 3.2L}, {4, 2.9L}, {-2, 1.1L}};
const std::vector<Reals> Roots = {{1.7L, 3}, {0.6L, -2}, {3, 1}};
const std::vector<Reals> Powers = {
    {1.7L, 3}, {0.6L, -2}, {-1.4L, 4}, {2.2L, 0}, {3, 1}};

Real power(const Reals &X) { return std::pow(X[0], X[1]); }

/// The derivative of lgammal, of fourth order: error about 1e-14.
Real digammaReference(const Reals &X) {
  const Real H = 1e-4L * std::fabs(X[0]);
  auto L = [&](Real K) { return lgammal(X[0] + K * H); };
  return (8 * (L(1) - L(-1)) - (L(2) - L(-2))) / (12 * H);
}

#define UNARY(NAME, POINTS)                                                    \
  {#NAME, [](const Reals &X) { return NAME##l(X[0]); }, POINTS}
#define BINARY(NAME, POINTS)                                                   \
  {#NAME, [](const Reals &X) { return NAME##l(X[0], X[1]); }, POINTS}
#define FORMULA(NAME, POINTS, ...)                                             \
  {NAME, [](const Reals &X) -> Real { return __VA_ARGS__; }, POINTS}

std::vector<Reference> elementary() {
  return {
      FORMULA("fadd", Pairs, X[0] + X[1]),
      FORMULA("fsub", Pairs, X[0] - X[1]),
      FORMULA("fmul", Pairs, X[0] * X[1]),
      FORMULA("fdiv", Pairs, X[0] / X[1]),
      FORMULA("frem", Steps, fmodl(X[0], X[1])),
      FORMULA("fneg", Anywhere, -X[0]),
      UNARY(sin, Anywhere),
      UNARY(cos, Anywhere),
      UNARY(tan, Anywhere),
      UNARY(asin, InsideOne),
      UNARY(acos, InsideOne),
      UNARY(atan, Anywhere),
      BINARY(atan2, Pairs),
      FORMULA("sinpi", Anywhere, sinl(Pi * X[0])),
      FORMULA("cospi", Anywhere, cosl(Pi * X[0])),
      FORMULA("tanpi", Anywhere, tanl(Pi * X[0])),
      FORMULA("asinpi", InsideOne, asinl(X[0]) / Pi),
      FORMULA("acospi", InsideOne, acosl(X[0]) / Pi),
      FORMULA("atanpi", Anywhere, atanl(X[0]) / Pi),
      FORMULA("atan2pi", Pairs, atan2l(X[0], X[1]) / Pi),
      UNARY(sinh, Anywhere),
      UNARY(cosh, Anywhere),
      UNARY(tanh, Anywhere),
      UNARY(asinh, Anywhere),
      UNARY(acosh, AboveOne),
      UNARY(atanh, InsideOne),
      UNARY(exp, Anywhere),
      UNARY(exp2, Anywhere),
      FORMULA("exp10", Anywhere, powl(10, X[0])),
      UNARY(expm1, Anywhere),
      FORMULA("exp2m1", Anywhere, exp2l(X[0]) - 1),
      FORMULA("exp10m1", Anywhere, powl(10, X[0]) - 1),
      UNARY(log, Positive),
      UNARY(log2, Positive),
      UNARY(log10, Positive),
      UNARY(log1p, Positive),
      FORMULA("log2p1", Positive, log2l(1 + X[0])),
      FORMULA("log10p1", Positive, log10l(1 + X[0])),
  };
}

std::vector<Reference> powersAndChoices() {
  const std::vector<Reals> PositiveBase = {
      {0.7L, 1.3L}, {2.2L, -0.4L}, {3, 2}, {1.5L, 0}};
  return {
      {"pow", power, PositiveBase},
      {"powr", power, PositiveBase},
      {"powi", power, Powers},
      {"pown", power, Powers},
      FORMULA("compoundn", Powers, powl(1 + X[0], X[1])),
      FORMULA("rootn", Roots, powl(X[0], 1 / X[1])),
      UNARY(sqrt, Positive),
      FORMULA("rsqrt", Positive, 1 / sqrtl(X[0])),
      UNARY(cbrt, Anywhere),
      BINARY(hypot, Pairs),
      FORMULA("adze.product", Pairs, X[0] * X[1]),
      FORMULA("fma", Triples, X[0] * X[1] + X[2]),
      FORMULA("fmuladd", Triples, X[0] * X[1] + X[2]),
      FORMULA("ldexp", Powers, ldexpl(X[0], int(X[1]))),
      FORMULA("scalbn", Powers, scalbnl(X[0], int(X[1]))),
      FORMULA("scalbln", Powers, scalblnl(X[0], long(X[1]))),
      FORMULA("scalb", Powers, scalbnl(X[0], int(X[1]))),
      FORMULA("significand", Anywhere,
              X[0] == 0 ? X[0] : scalbnl(X[0], -ilogbl(X[0]))),
      UNARY(fabs, Anywhere),
      BINARY(copysign, Pairs),
      BINARY(fmax, Pairs),
      BINARY(fmin, Pairs),
      FORMULA("maximum", Pairs, fmaxl(X[0], X[1])),
      FORMULA("minimum", Pairs, fminl(X[0], X[1])),
      FORMULA("x86_min", Pairs, X[0] < X[1] ? X[0] : X[1]),
      FORMULA("x86_max", Pairs, X[0] > X[1] ? X[0] : X[1]),
      FORMULA("x86_rcp", Positive, 1 / X[0]),
      FORMULA("x86_rsqrt", Positive, 1 / sqrtl(X[0])),
      BINARY(fdim, Pairs),
      BINARY(fmod, Steps),
      BINARY(remainder, Steps),
      BINARY(nextafter, Pairs),
      BINARY(nexttoward, Pairs),
      FORMULA("nextup", Anywhere, nextafterl(X[0], HUGE_VALL)),
      FORMULA("nextdown", Anywhere, nextafterl(X[0], -HUGE_VALL)),
      FORMULA("canonicalize", Anywhere, X[0]),
      FORMULA("arithmetic_fence", Anywhere, X[0]),
      UNARY(rint, Anywhere),
  };
}

std::vector<Reference> specialFunctions() {
  const std::vector<Reals> Gamma = {{0.3L}, {1.2L}, {4.5L}, {-0.4L}, {-2.7L}};
  return {
      UNARY(erf, Anywhere),
      UNARY(erfc, Anywhere),
      UNARY(tgamma, Gamma),
      UNARY(lgamma, Gamma),
      {"adze.digamma", digammaReference, Gamma},
      UNARY(j0, Anywhere),
      UNARY(j1, Anywhere),
      UNARY(y0, Positive),
      UNARY(y1, Positive),
      FORMULA("jn", Orders, jnl(int(X[0]), X[1])),
      FORMULA("yn", Orders, ynl(int(X[0]), X[1])),
      FORMULA("frexp", Anywhere,
              [](Real V) {
                int Exponent;
                return frexpl(V, &Exponent);
              }(X[0])),
      FORMULA("frexp_pair", Anywhere,
              [](Real V) {
                int Exponent;
                return frexpl(V, &Exponent);
              }(X[0])),
      FORMULA("modf", Anywhere, X[0] - truncl(X[0])),
      FORMULA("modf 1", Anywhere, truncl(X[0])),
      FORMULA("remquo", Steps, remainderl(X[0], X[1])),
      FORMULA("lgamma_r", Gamma, lgammal(X[0])),
      FORMULA("gamma_r", Gamma, lgammal(X[0])),
      FORMULA("sincos 1", Anywhere, sinl(X[0])),
      FORMULA("sincos 2", Anywhere, cosl(X[0])),
      FORMULA("sincospi 1", Anywhere, sinl(Pi * X[0])),
      FORMULA("sincospi 2", Anywhere, cosl(Pi * X[0])),
  };
}

} // namespace

const std::vector<Reference> &adze::references() {
  static const std::vector<Reference> All = [] {
    std::vector<Reference> List = elementary();
    for (auto &&More :
         {powersAndChoices(), specialFunctions(), deviceReferences()})
      List.insert(List.end(), More.begin(), More.end());
    return List;
  }();
  return All;
}

const Reference *adze::referenceOf(const std::string &Family) {
  for (const Reference &R : references())
    if (R.Family == Family)
      return &R;
  return nullptr;
}

Real adze::evaluate(const Expr &E, const Reals &Args, Real Result) {
  auto Of = [&](unsigned I) { return evaluate(E->Operands[I], Args, Result); };
  switch (E->Kind) {
  case ExprKind::Arg:
    return Args.at(E->Index);
  case ExprKind::Result:
    return Result;
  case ExprKind::Constant:
    return E->Number;
  case ExprKind::Add:
    return Of(0) + Of(1);
  case ExprKind::Sub:
    return Of(0) - Of(1);
  case ExprKind::Mul:
    return Of(0) * Of(1);
  case ExprKind::Div:
    return Of(0) / Of(1);
  case ExprKind::Neg:
    return -Of(0);
  case ExprKind::Select:
    return Of(0) ? Of(1) : Of(2);
  case ExprKind::Less:
    return Of(0) < Of(1);
  case ExprKind::LessEqual:
    return Of(0) <= Of(1);
  case ExprKind::Equal:
    return Of(0) == Of(1);
  case ExprKind::IntToFloat:
    return Of(0);
  case ExprKind::Call: {
    const Reference *R = referenceOf(E->Family);
    EXPECT_TRUE(R) << "no reference for " << E->Family;
    Reals Operands;
    for (unsigned I = 0; I != E->Operands.size(); ++I)
      Operands.push_back(Of(I));
    return R ? R->Function(Operands) : NAN;
  }
  }
  return NAN;
}

// The references themselves, where two of them must agree.
TEST(KnownReference, DigammaAtOneIsMinusEuler) {
  EXPECT_NEAR(double(digammaReference({1})), -0.57721566490153286061, 1e-12);
  EXPECT_NEAR(double(digammaReference({0.5L})), -1.9635100260214234794, 1e-12);
}
