// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pure scalar expressions: the language in which partial derivatives are
// written. A row such as  fdiv(x, y): 1/y, -out/y  is a vector of Expr; it is
// walked to find what it reads (Needs), and emitted as IR by the forward and
// the reverse contexts (lib/Rules/ExprEmitter), so what is kept and what is
// used cannot disagree. Expressions are immutable shared DAGs, elementwise
// over vectors, and independent of the floating-point type.
//
//   Expr x = arg(0), y = arg(1), out = result();
//   { constant(1) / y, -out / y }
#ifndef ADZE_EXPR_H
#define ADZE_EXPR_H

#include "llvm/ADT/SmallVector.h"
#include <memory>

namespace adze {

struct ExprNode;
using Expr = std::shared_ptr<const ExprNode>;

enum class ExprKind {
  Arg,      // operand Index of the instruction or call
  Result,   // the instruction's own primal result
  Constant, // Number, splat over vectors
  Add,
  Sub,
  Mul,
  Div,
  Neg,
  Call,   // the known scalar family FamilyName applied to Operands
  Select, // Operands: condition (comparison), then, else
  Less,
  LessEqual,
  Equal,      // ordered comparisons, only below Select
  IntToFloat, // signed integer operand converted to the result's type
};

// Integer operands (the order of jn, the exponent of powi) are read by Arg like
// any other; Add, Sub, Neg of them and of constants stay integers until
// IntToFloat, or until a family takes them at an integer place.

struct ExprNode {
  ExprKind Kind;
  unsigned Index = 0;
  double Number = 0;
  const char *Family = nullptr; // canonical family name, "cos"
  llvm::SmallVector<Expr, 3> Operands;
};

Expr arg(unsigned Index);
Expr result();
Expr constant(double Number);
Expr call(const char *Family, Expr A);
Expr call(const char *Family, Expr A, Expr B);
Expr select(Expr Condition, Expr Then, Expr Else);
Expr less(Expr A, Expr B);
Expr lessEqual(Expr A, Expr B);
Expr equal(Expr A, Expr B);
Expr intToFloat(Expr A);
Expr operator+(Expr A, Expr B);
Expr operator-(Expr A, Expr B);
Expr operator*(Expr A, Expr B);
Expr operator/(Expr A, Expr B);
Expr operator-(Expr A);

/// What an expression reads: the operand indices (ascending, unique), and
/// whether it reads the primal result.
struct ExprReads {
  llvm::SmallVector<unsigned, 3> Args;
  bool Result = false;
};
ExprReads readsOf(const Expr &E);

/// True if \p E is a finite number whatever the values are that it reads,
/// infinities and NaN included (constants, choices between constants, signs):
/// such a partial needs no strong-zero guard. cos is none of them, since
/// cos(inf) is NaN. Finite at every type: the bound kept is half's.
bool isAlwaysFinite(const Expr &E);

/// True if \p E is finite where the operands are (an operand, the cosine of
/// one; a product of two may overflow), and \p Result if it reads the result.
bool isFiniteOfFinite(const Expr &E, bool Result);

/// The partial derivatives of one scalar function or instruction: Partials[i]
/// is d out / d operand i; null means that operand has no derivative (an
/// integer, or piecewise constant).
struct ScalarRow {
  const char *Family;
  llvm::SmallVector<Expr, 3> Partials;
};

} // namespace adze
#endif
