// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/ComplexFunction.h"
#include <cmath>
#include <vector>

using namespace adze;

static Expr unlessZero(Expr At, Expr E) {
  return select(equal(std::move(At), constant(0)), constant(0), std::move(E));
}

static ComplexRow holomorphic(const char *Family, std::vector<Expr> Partials) {
  ComplexRow Row;
  Row.Family = Family;
  Row.NumOperands = Partials.size();
  Row.Partials.append(Partials.begin(), Partials.end());
  return Row;
}

static ComplexRow runtime(const char *Family,
                          std::vector<const char *> Spellings,
                          std::vector<Expr> Partials) {
  ComplexRow Row = holomorphic(Family, std::move(Partials));
  Row.CompilerRuntime = true;
  Row.Spellings.append(Spellings.begin(), Spellings.end());
  return Row;
}

static ComplexRow byParts(const char *Family,
                          std::vector<std::vector<Expr>> Jacobian) {
  ComplexRow Row;
  Row.Family = Family;
  Row.NumOperands = 1;
  Row.RealResult = Jacobian.size() == 1;
  for (const std::vector<Expr> &Part : Jacobian)
    Row.Jacobian.emplace_back(Part.begin(), Part.end());
  return Row;
}

static std::vector<ComplexRow> makeRows() {
  const Expr z = arg(0), w = arg(1), out = result();
  const Expr re = arg(0), im = arg(1), r = call("hypot", re, im);
  const Expr Zero = constant(0), One = constant(1), Half = constant(0.5),
             OverLn10 = constant(1 / std::log(10.0));
  return {
#define ADZE_LIST(...) {__VA_ARGS__}
#define ADZE_HOLOMORPHIC(NAME, ...) holomorphic(NAME, {__VA_ARGS__}),
#define ADZE_HOLOMORPHIC_RUNTIME(NAME, SPELLINGS, ...)                         \
  runtime(NAME, ADZE_LIST SPELLINGS, {__VA_ARGS__}),
#define ADZE_REAL_RESULT(NAME, BY_RE, BY_IM) byParts(NAME, {{BY_RE, BY_IM}}),
#define ADZE_COMPLEX_RESULT(NAME, RE_ROW, IM_ROW)                              \
  byParts(NAME, {ADZE_LIST RE_ROW, ADZE_LIST IM_ROW}),
#include "Complex.def"
#undef ADZE_LIST
  };
}

llvm::ArrayRef<ComplexRow> adze::complexRows() {
  static const std::vector<ComplexRow> Rows = makeRows();
  return Rows;
}

const ComplexRow *adze::complexRow(llvm::StringRef Family) {
  for (const ComplexRow &Row : complexRows())
    if (Family == Row.Family)
      return &Row;
  return nullptr;
}
