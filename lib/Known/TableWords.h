// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Words in which the tables write partial derivatives, beside those of Expr.h.
#ifndef ADZE_KNOWN_TABLEWORDS_H
#define ADZE_KNOWN_TABLEWORDS_H

#include "adze/KnownFunction.h"
#include <utility>

namespace adze {

inline constexpr double PiNumber = 3.14159265358979323846;

inline Expr number(unsigned I) { return intToFloat(arg(I)); }

/// E, but 0 where \p At is exactly 0.
inline Expr unlessZero(Expr At, Expr E) {
  return select(equal(std::move(At), constant(0)), constant(0), std::move(E));
}

/// 1 where \p First holds or operand \p Y is NaN, else 0; otherOf: 1 - that.
inline Expr firstOf(Expr First, const Expr &Y) {
  return select(std::move(First), constant(1),
                select(equal(Y, Y), constant(0), constant(1)));
}
inline Expr otherOf(Expr First, const Expr &Y) {
  return select(std::move(First), constant(0),
                select(equal(Y, Y), constant(1), constant(0)));
}

template <typename... Es> OutputRow returned(const Es &...Partials) {
  OutputRow Output;
  (Output.Row.Partials.push_back(Partials), ...);
  return Output;
}
template <typename... Es>
OutputRow through(int Operand, const Es &...Partials) {
  OutputRow Output = returned(Partials...);
  Output.Place = Operand;
  return Output;
}

} // namespace adze
#endif
