// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every partial of every row against differences of the function itself, and
// the choices at kinks and edges.
#include "Known/KnownTable.h"
#include "KnownReference.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace adze;

namespace {

/// Fourth-order difference of \p R by operand \p I at \p X.
Real difference(const Reference &R, Reals X, unsigned I) {
  const Real H = 1e-4L * std::max<Real>(0.1L, std::fabs(X[I]));
  const Real At = X[I];
  auto F = [&](Real K) {
    X[I] = At + K * H;
    return R.Function(X);
  };
  return (8 * (F(1) - F(-1)) - (F(2) - F(-2))) / (12 * H);
}

void checkRow(const std::string &Name, const char *Signature,
              const ScalarRow &Row) {
  const Reference *R = referenceOf(Name);
  ASSERT_TRUE(R) << Name << " has a row but no reference";
  llvm::StringRef Letters = llvm::StringRef(Signature).split(':').second;
  ASSERT_EQ(Letters.size(), Row.Partials.size()) << Name;
  for (const Reals &X : R->Points) {
    for (unsigned I = 0; I != Row.Partials.size(); ++I) {
      // Integers have no derivative, and scalb's exponent is one.
      if (Letters[I] == 'i' || Letters[I] == 'p' || (Name == "scalb" && I))
        continue;
      const Expr &E = Row.Partials[I];
      const Real Partial = E ? evaluate(E, X, R->Function(X)) : 0;
      const Real Expected = difference(*R, X, I);
      EXPECT_NEAR(double(Partial), double(Expected),
                  1e-9 * std::max(1.0, double(std::fabs(Expected))))
          << Name << ", operand " << I << " at " << double(X[0]) << ' '
          << (X.size() > 1 ? double(X[1]) : 0);
    }
  }
}

std::string nameOf(const KnownFunction &Known, const OutputRow &Output) {
  if (Output.Place == OutputRow::Returned)
    return Known.Family;
  return Known.Family + (" " + std::to_string(Output.Place));
}

} // namespace

TEST(KnownPartials, AgreeWithDifferences) {
  unsigned Rows = 0;
  for (const FamilyRecord &R : KnownTable::get().records()) {
    if (R.Known.Kind == KnownKind::Scalar &&
        R.Known.Family != std::string("adze.digamma")) {
      checkRow(R.Known.Family, R.Known.Signature, R.Known.Row);
      ++Rows;
    }
    for (const OutputRow &Output : R.Known.Outputs) {
      checkRow(nameOf(R.Known, Output), R.Known.Signature, Output.Row);
      ++Rows;
    }
  }
  EXPECT_GT(Rows, 85u);
}

TEST(KnownPartials, ChoicesAtKinksAndEdges) {
  const Real NaN = NAN, Inf = INFINITY;
  struct Choice {
    const char *Family;
    Reals X;
    unsigned Operand;
    Real Expected;
  };
  const Choice Choices[] = {
      {"fabs", {0}, 0, 0},
      {"fabs", {-0.0L}, 0, 0},
      {"fabs", {-3}, 0, -1},
      {"copysign", {0, -1}, 0, 0},
      {"copysign", {-2, 1}, 0, -1},
      {"fmax", {2, 2}, 0, 1},
      {"fmax", {2, 2}, 1, 0},
      {"fmin", {2, 2}, 0, 1},
      {"fmin", {2, 2}, 1, 0},
      {"fmax", {NaN, 2}, 0, 0},
      {"fmax", {NaN, 2}, 1, 1},
      {"fmin", {2, NaN}, 0, 1},
      {"fmin", {2, NaN}, 1, 0},
      {"maximum", {2, 2}, 0, 1},
      {"maximum", {1, NaN}, 1, 1},
      {"minimum", {2, 2}, 1, 0},
      {"x86_min", {2, 2}, 1, 1},
      {"x86_max", {1, NaN}, 1, 1},
      {"fdim", {2, 2}, 0, 0},
      {"fdim", {2, 2}, 1, 0},
      {"hypot", {0, 0}, 0, 0},
      {"hypot", {0, 0}, 1, 0},
      {"atan2", {0, 0}, 0, 0},
      {"atan2", {0, 0}, 1, 0},
      {"atan2", {1e-2000L, 1e-2000L}, 0, 0.5e2000L},
      {"pow", {0, 2.5L}, 1, 0},
      {"pow", {0, 0}, 0, 0},
      {"pow", {0, 0}, 1, 0},
      {"pow", {0, 1}, 0, 1},
      {"pow", {0, 2}, 0, 0},
      {"pow", {0, 0.5L}, 0, Inf},
      {"powi", {0, 0}, 0, 0},
      {"powi", {0, 1}, 0, 1},
      {"sqrt", {0}, 0, Inf},
      {"cbrt", {0}, 0, Inf},
      {"significand", {0}, 0, 1},
      {"frexp", {0}, 0, 1},
      {"frexp", {0.75e-4930L}, 0, 0.875L / 0.75e-4930L},
      {"j1", {0}, 0, 0.5L},
      {"fmod", {6, 2}, 1, -3},
      {"remainder", {5, 2}, 1, -2},
      {"fmod", {3, Inf}, 1, 0},
      {"tanh", {50}, 0, 0},
      {"expm1", {-40}, 0, std::exp(Real(-40))},
      {"asinh", {1e3000L}, 0, 1e-3000L},
  };
  for (const Choice &C : Choices) {
    const KnownFunction *Known = lookupFamily(C.Family);
    ASSERT_TRUE(Known) << C.Family;
    const ScalarRow &Row =
        Known->Outputs.empty() ? Known->Row : Known->Outputs[0].Row;
    Real Result = referenceOf(C.Family)->Function(C.X);
    Real Partial = evaluate(Row.Partials[C.Operand], C.X, Result);
    if (std::string(C.Family) == "frexp" && C.X[0] != 0)
      EXPECT_EQ(std::scalbn(Partial, -std::ilogb(Partial)), 1);
    else if (std::isinf(C.Expected))
      EXPECT_EQ(Partial, C.Expected) << C.Family;
    else
      EXPECT_LE(std::fabs(Partial - C.Expected), 1e-15L * std::fabs(C.Expected))
          << C.Family << '(' << double(C.X[0]) << ") by " << C.Operand << ": "
          << double(Partial);
  }
}

TEST(KnownPartials, AlwaysFiniteHolds) {
  const double Max = std::numeric_limits<double>::max();
  const Real Nasty[] = {0, -0.0L, 1, -1, Max, -Max, INFINITY, -INFINITY, NAN};
  unsigned Promised = 0;
  auto Check = [&](const ScalarRow &Row) {
    for (const Expr &E : Row.Partials) {
      if (!E || !isAlwaysFinite(E))
        continue;
      ++Promised;
      for (Real A : Nasty)
        for (Real B : Nasty)
          EXPECT_TRUE(std::isfinite(evaluate(E, {A, B, A}, B))) << Row.Family;
    }
  };
  for (const FamilyRecord &R : KnownTable::get().records()) {
    Check(R.Known.Row);
    for (const OutputRow &Output : R.Known.Outputs)
      Check(Output.Row);
  }
  EXPECT_GT(Promised, 20u);
  auto Finite = [](const char *Family, unsigned I) {
    return isAlwaysFinite(lookupFamily(Family)->Row.Partials[I]);
  };
  EXPECT_TRUE(Finite("fadd", 0));
  EXPECT_TRUE(Finite("fmax", 1));
  EXPECT_TRUE(Finite("fabs", 0));
  EXPECT_TRUE(Finite("fma", 2));
  EXPECT_FALSE(Finite("fmul", 0));
  EXPECT_FALSE(Finite("sin", 0));
  EXPECT_FALSE(Finite("sqrt", 0));
  EXPECT_FALSE(Finite("exp", 0));
}

TEST(KnownPartials, FiniteOfFiniteHolds) {
  const double Max = std::numeric_limits<double>::max();
  const Real Finite[] = {0, -0.0L, 1, -1, 0.5, -3, Max, -Max};
  unsigned Promised = 0;
  for (const FamilyRecord &R : KnownTable::get().records())
    for (const Expr &E : R.Known.Row.Partials) {
      if (!E || !isFiniteOfFinite(E, /*Result=*/true))
        continue;
      ++Promised;
      for (Real A : Finite)
        for (Real B : Finite)
          EXPECT_TRUE(std::isfinite(evaluate(E, {A, B, A}, B)))
              << R.Known.Row.Family;
    }
  EXPECT_GT(Promised, 20u);
  auto Is = [](const char *Family, unsigned I, bool Result) {
    return isFiniteOfFinite(lookupFamily(Family)->Row.Partials[I], Result);
  };
  EXPECT_TRUE(Is("fmul", 0, false));
  EXPECT_TRUE(Is("fma", 1, false));
  EXPECT_TRUE(Is("sin", 0, false));
  EXPECT_TRUE(Is("exp", 0, true));
  EXPECT_FALSE(Is("exp", 0, false));
  EXPECT_FALSE(Is("fdiv", 0, true));
  EXPECT_FALSE(Is("sqrt", 0, true));
  EXPECT_FALSE(Is("log", 0, true));
}

TEST(KnownExpr, FoldsAndReads) {
  const Expr X = arg(0), Y = arg(2), Out = result();
  EXPECT_EQ((constant(0) * X)->Kind, ExprKind::Constant);
  EXPECT_EQ(constant(1) * X, X);
  EXPECT_EQ(X + constant(0), X);
  EXPECT_EQ(-(-X), X);
  EXPECT_EQ((constant(2) * constant(3))->Number, 6);
  ExprReads Reads = readsOf(select(less(Y, X), call("sin", Y), Out / X));
  EXPECT_EQ(Reads.Args, (llvm::SmallVector<unsigned, 3>{0, 2}));
  EXPECT_TRUE(Reads.Result);
  EXPECT_FALSE(readsOf(X * Y).Result);
  EXPECT_TRUE(readsOf(nullptr).Args.empty());
}
