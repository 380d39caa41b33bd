// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dual numbers: a value and its tangent, v + d e with e * e = 0. A generated
// program, compiled as C++ with Dual<double> for REAL, takes exactly the
// branches that it takes as C, and carries the derivative along: an oracle
// without step size, written apart from the plugin's tables.
//
// A partial derivative is not multiplied by a tangent that is exactly zero
// (0 * inf = 0), and kinks are decided as the plugin documents them: |x| is
// flat at 0, a tie of fmin and fmax is its first argument's.
#ifndef ADZE_FUZZING_DUAL_H
#define ADZE_FUZZING_DUAL_H

#include <cmath>
#include <type_traits>

template <typename T> struct Dual;

template <typename T> struct Plain {
  using Type = T;
  static constexpr bool Active = false;
};
template <typename T> struct Plain<Dual<T>> {
  using Type = T;
  static constexpr bool Active = true;
};

/// partial * tangent, and 0 where the tangent is.
template <typename T> constexpr T along(T partial, T tangent) {
  return tangent == 0 ? T(0) : partial * tangent;
}

/// Trivial, so that it may stand in unions, lie in memory from malloc and be
/// copied by memcpy like the number that it replaces.
template <typename T> struct Dual {
  T v, d;
  Dual() = default;
  constexpr Dual(T value, T tangent) : v(value), d(tangent) {}
  template <typename U, std::enable_if_t<std::is_arithmetic_v<U>, int> = 0>
  constexpr Dual(U value) : v(T(value)), d(0) {}
  template <typename U>
  constexpr Dual(const Dual<U> &o) : v(T(o.v)), d(T(o.d)) {}
  constexpr explicit operator int() const { return int(v); }
};

static_assert(std::is_trivial_v<Dual<double>>);

/// The type of an operation on A and B: as in C, of which one at least is dual.
template <typename A, typename B>
using Joined = std::enable_if_t<
    (Plain<A>::Active || Plain<B>::Active) &&
        std::is_arithmetic_v<typename Plain<A>::Type> &&
        std::is_arithmetic_v<typename Plain<B>::Type>,
    Dual<std::common_type_t<typename Plain<A>::Type, typename Plain<B>::Type>>>;

#define DUAL_OPERATOR(op, value, tangent)                                      \
  template <typename A, typename B>                                            \
  constexpr Joined<A, B> operator op(const A & left, const B & right) {        \
    const Joined<A, B> a(left), b(right);                                      \
    return {value, tangent};                                                   \
  }                                                                            \
  template <typename T, typename B>                                            \
  constexpr Dual<T> &operator op##=(Dual<T> &left, const B & right) {          \
    return left = left op right;                                               \
  }
DUAL_OPERATOR(+, a.v + b.v, a.d + b.d)
DUAL_OPERATOR(-, a.v - b.v, a.d - b.d)
DUAL_OPERATOR(*, a.v *b.v, along(b.v, a.d) + along(a.v, b.d))
DUAL_OPERATOR(/, a.v / b.v, along(1 / b.v, a.d) - along(a.v / b.v / b.v, b.d))
#undef DUAL_OPERATOR

template <typename T> constexpr Dual<T> operator-(const Dual<T> &a) {
  return {-a.v, -a.d};
}

#define DUAL_COMPARISON(op)                                                    \
  template <typename A, typename B, typename R = Joined<A, B>>                 \
  constexpr bool operator op(const A &left, const B &right) {                  \
    return R(left).v op R(right).v;                                            \
  }
DUAL_COMPARISON(<)
DUAL_COMPARISON(>)
DUAL_COMPARISON(<=)
DUAL_COMPARISON(>=)
DUAL_COMPARISON(==)
DUAL_COMPARISON(!=)
#undef DUAL_COMPARISON

using Real = Dual<double>;

/// One argument: x its value, out the result's.
#define DUAL_ONE(name, partial)                                                \
  inline Real name(Real a) {                                                   \
    const double x = a.v, out = std::name(x);                                  \
    (void)x;                                                                   \
    return {out, a.d == 0 ? 0 : (partial) * a.d};                              \
  }
DUAL_ONE(sin, std::cos(x))
DUAL_ONE(cos, -std::sin(x))
DUAL_ONE(tan, 1 + out * out)
DUAL_ONE(asin, 1 / std::sqrt((1 - x) * (1 + x)))
DUAL_ONE(acos, -1 / std::sqrt((1 - x) * (1 + x)))
DUAL_ONE(atan, 1 / (1 + x * x))
DUAL_ONE(sinh, std::cosh(x))
DUAL_ONE(cosh, std::sinh(x))
DUAL_ONE(tanh, 1 / (std::cosh(x) * std::cosh(x)))
DUAL_ONE(asinh, 1 / std::sqrt(x * x + 1))
DUAL_ONE(exp, out)
DUAL_ONE(exp2, out * 0.69314718055994530942)
DUAL_ONE(expm1, std::exp(x))
DUAL_ONE(log, 1 / x)
DUAL_ONE(log2, 1 / (x * 0.69314718055994530942))
DUAL_ONE(log10, 1 / (x * 2.30258509299404568402))
DUAL_ONE(log1p, 1 / (1 + x))
DUAL_ONE(sqrt, 0.5 / out)
DUAL_ONE(cbrt, 1 / (3 * out * out))
DUAL_ONE(erf, 1.12837916709551257390 * std::exp(-x * x))
DUAL_ONE(erfc, -1.12837916709551257390 * std::exp(-x * x))
DUAL_ONE(fabs, x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0)
DUAL_ONE(floor, 0.0)
DUAL_ONE(ceil, 0.0)
#undef DUAL_ONE

/// Two arguments: x and y their values, out the result's.
#define DUAL_TWO(name, byX, byY)                                               \
  template <typename A, typename B, typename R = Joined<A, B>>                 \
  inline Real name(const A &left, const B &right) {                            \
    const Real a(left), b(right);                                              \
    const double x = a.v, y = b.v, out = std::name(x, y);                      \
    (void)x, (void)y;                                                          \
    return {out, (a.d == 0 ? 0 : (byX) * a.d) + (b.d == 0 ? 0 : (byY) * b.d)}; \
  }
DUAL_TWO(pow, y == 0 ? 0.0 : y * std::pow(x, y - 1), out *std::log(x))
DUAL_TWO(atan2, y / (x * x + y * y), -x / (x * x + y * y))
DUAL_TWO(hypot, out == 0 ? 0.0 : x / out, out == 0 ? 0.0 : y / out)
DUAL_TWO(fmax, y <= x ? 1.0 : 0.0, y <= x ? 0.0 : 1.0)
DUAL_TWO(fmin, x <= y ? 1.0 : 0.0, x <= y ? 0.0 : 1.0)
DUAL_TWO(fmod, 1.0, -std::rint((x - out) / y))
DUAL_TWO(fdim, x > y ? 1.0 : 0.0, x > y ? -1.0 : 0.0)
DUAL_TWO(copysign,
         x == 0                               ? 0.0
         : std::signbit(x) == std::signbit(y) ? 1.0
                                              : -1.0,
         0.0)
#undef DUAL_TWO

inline Real fma(Real a, Real b, Real c) {
  return {std::fma(a.v, b.v, c.v), along(b.v, a.d) + along(a.v, b.d) + c.d};
}
inline Real ldexp(Real a, int k) {
  return {std::ldexp(a.v, k), std::ldexp(a.d, k)};
}
inline Dual<float> sinf(Dual<float> a) {
  return {std::sin(a.v), along(std::cos(a.v), a.d)};
}
inline Dual<float> expf(Dual<float> a) {
  const float out = std::exp(a.v);
  return {out, along(out, a.d)};
}
inline Dual<long double> sinl(Dual<long double> a) {
  return {std::sin(a.v), along(std::cos(a.v), a.d)};
}
inline Dual<long double> cosl(Dual<long double> a) {
  return {std::cos(a.v), along(-std::sin(a.v), a.d)};
}

#endif // ADZE_FUZZING_DUAL_H
