// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Construction, reads and bounds of scalar expressions (see Expr.h). The
// constructors fold only what rows and their builders produce by themselves
// (a zero, a one); everything else is left to LLVM's own folding.
#include "adze/Expr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>
#include <optional>

using namespace adze;

static Expr make(ExprKind Kind, llvm::ArrayRef<Expr> Operands,
                 const char *Family = nullptr) {
  auto N = std::make_shared<ExprNode>();
  N->Kind = Kind;
  N->Family = Family;
  N->Operands.append(Operands.begin(), Operands.end());
  return N;
}

static bool isNumber(const Expr &E, double Value) {
  return E->Kind == ExprKind::Constant && E->Number == Value;
}

static bool areNumbers(const Expr &A, const Expr &B) {
  return A->Kind == ExprKind::Constant && B->Kind == ExprKind::Constant;
}

Expr adze::arg(unsigned Index) {
  auto N = std::make_shared<ExprNode>();
  N->Kind = ExprKind::Arg;
  N->Index = Index;
  return N;
}

Expr adze::result() { return make(ExprKind::Result, {}); }

Expr adze::constant(double Number) {
  auto N = std::make_shared<ExprNode>();
  N->Kind = ExprKind::Constant;
  N->Number = Number;
  return N;
}

Expr adze::call(const char *Family, Expr A) {
  return make(ExprKind::Call, {std::move(A)}, Family);
}

Expr adze::call(const char *Family, Expr A, Expr B) {
  return make(ExprKind::Call, {std::move(A), std::move(B)}, Family);
}

Expr adze::select(Expr Condition, Expr Then, Expr Else) {
  return make(ExprKind::Select,
              {std::move(Condition), std::move(Then), std::move(Else)});
}

Expr adze::less(Expr A, Expr B) {
  return make(ExprKind::Less, {std::move(A), std::move(B)});
}

Expr adze::lessEqual(Expr A, Expr B) {
  return make(ExprKind::LessEqual, {std::move(A), std::move(B)});
}

Expr adze::equal(Expr A, Expr B) {
  return make(ExprKind::Equal, {std::move(A), std::move(B)});
}

Expr adze::intToFloat(Expr A) {
  if (A->Kind == ExprKind::Constant)
    return A;
  return make(ExprKind::IntToFloat, {std::move(A)});
}

Expr adze::operator+(Expr A, Expr B) {
  if (areNumbers(A, B))
    return constant(A->Number + B->Number);
  if (isNumber(A, 0))
    return B;
  if (isNumber(B, 0))
    return A;
  return make(ExprKind::Add, {std::move(A), std::move(B)});
}

Expr adze::operator-(Expr A, Expr B) {
  if (areNumbers(A, B))
    return constant(A->Number - B->Number);
  if (isNumber(B, 0))
    return A;
  if (isNumber(A, 0))
    return -std::move(B);
  return make(ExprKind::Sub, {std::move(A), std::move(B)});
}

// A factor zero wins over whatever the other one is: the strong zero of the
// design holds within a partial too.
Expr adze::operator*(Expr A, Expr B) {
  if (areNumbers(A, B))
    return constant(A->Number * B->Number);
  if (isNumber(A, 0) || isNumber(B, 0))
    return constant(0);
  if (isNumber(A, 1))
    return B;
  if (isNumber(B, 1))
    return A;
  if (isNumber(A, -1))
    return -std::move(B);
  if (isNumber(B, -1))
    return -std::move(A);
  return make(ExprKind::Mul, {std::move(A), std::move(B)});
}

Expr adze::operator/(Expr A, Expr B) {
  if (isNumber(B, 1))
    return A;
  if (isNumber(A, 0))
    return A;
  return make(ExprKind::Div, {std::move(A), std::move(B)});
}

Expr adze::operator-(Expr A) {
  if (A->Kind == ExprKind::Constant)
    return constant(-A->Number);
  if (A->Kind == ExprKind::Neg)
    return A->Operands[0];
  return make(ExprKind::Neg, {std::move(A)});
}

ExprReads adze::readsOf(const Expr &E) {
  ExprReads Reads;
  if (!E)
    return Reads;
  llvm::SmallPtrSet<const ExprNode *, 16> Seen;
  llvm::SmallVector<const ExprNode *, 16> Work{E.get()};
  while (!Work.empty()) {
    const ExprNode *N = Work.pop_back_val();
    if (!Seen.insert(N).second)
      continue;
    if (N->Kind == ExprKind::Arg)
      Reads.Args.push_back(N->Index);
    if (N->Kind == ExprKind::Result)
      Reads.Result = true;
    for (const Expr &Operand : N->Operands)
      Work.push_back(Operand.get());
  }
  llvm::sort(Reads.Args);
  Reads.Args.erase(std::unique(Reads.Args.begin(), Reads.Args.end()),
                   Reads.Args.end());
  return Reads;
}

/// An upper bound of |E| that holds for every value of what E reads, infinite
/// and NaN ones too; nothing if there is none. Rows are a dozen nodes deep at
/// most, so the recursion is bounded by the tables.
static std::optional<double> boundOf(const Expr &E) {
  auto Of = [&](unsigned I) { return boundOf(E->Operands[I]); };
  switch (E->Kind) {
  case ExprKind::Constant:
    if (std::isfinite(E->Number))
      return std::fabs(E->Number);
    return std::nullopt;
  case ExprKind::Neg:
    return Of(0);
  case ExprKind::Add:
  case ExprKind::Sub:
    if (auto A = Of(0), B = Of(1); A && B)
      return *A + *B;
    return std::nullopt;
  case ExprKind::Mul:
    if (auto A = Of(0), B = Of(1); A && B)
      return *A * *B;
    return std::nullopt;
  case ExprKind::Select:
    if (auto A = Of(1), B = Of(2); A && B)
      return std::max(*A, *B);
    return std::nullopt;
  case ExprKind::Call: // copysign keeps the magnitude of its first operand
    if (llvm::StringRef(E->Family) == "copysign")
      return Of(0);
    return std::nullopt;
  case ExprKind::Arg:
  case ExprKind::Result:
  case ExprKind::Div:
  case ExprKind::Less:
  case ExprKind::LessEqual:
  case ExprKind::Equal:
  case ExprKind::IntToFloat:
    return std::nullopt;
  }
  return std::nullopt;
}

bool adze::isAlwaysFinite(const Expr &E) {
  constexpr double LargestHalf = 65504;
  std::optional<double> Bound = boundOf(E);
  return Bound && *Bound <= LargestHalf;
}

bool adze::isFiniteOfFinite(const Expr &E, bool Result) {
  auto Is = [&](const Expr &Of) { return isFiniteOfFinite(Of, Result); };
  switch (E->Kind) {
  case ExprKind::Arg:
    return true;
  case ExprKind::Result:
    return Result;
  case ExprKind::Neg:
    return Is(E->Operands[0]);
  case ExprKind::Select:
    return Is(E->Operands[1]) && Is(E->Operands[2]);
  case ExprKind::Call: {
    llvm::StringRef Family(E->Family);
    return (Family == "sin" || Family == "cos" || Family == "tanh" ||
            Family == "fabs" || Family == "copysign") &&
           llvm::all_of(E->Operands, Is);
  }
  default:
    return isAlwaysFinite(E);
  }
}
