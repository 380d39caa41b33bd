// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dual numbers: a value and its tangent, v + d e with e * e = 0. A generated
// program, compiled as C++ with Dual<double> for REAL, takes exactly the
// branches that it takes as C, and carries the derivative along: an oracle
// without step size, written apart from the plugin's tables. Dual numbers of
// dual numbers, Dual<Dual<double>>, have two directions: x.d.d is the second
// derivative along both.
//
// A partial derivative is not multiplied by a tangent that is exactly zero
// (0 * inf = 0), and kinks are decided as the plugin documents them: |x| is
// flat at 0, a tie of fmin and fmax is its first argument's.
//
// Of several operands each is taken by value: in `a[0] + f(a)`, a[0] is to be
// read before the call, as compilers read numbers, even if f changes it.
#ifndef ADZE_FUZZING_DUAL_H
#define ADZE_FUZZING_DUAL_H

#include <algorithm>
#include <cmath>
#include <type_traits>

template <typename T> struct Dual;

template <typename T> struct Plain {
  using Base = T; // what it counts in
  static constexpr int Depth = 0;
};
template <typename T> struct Plain<Dual<T>> {
  using Base = typename Plain<T>::Base;
  static constexpr int Depth = Plain<T>::Depth + 1;
};

/// Trivial, so that it may stand in unions, lie in memory from malloc and be
/// copied by memcpy like the number that it replaces.
template <typename T> struct Dual {
  T v, d;
  Dual() = default;
  constexpr Dual(T value, T tangent) : v(value), d(tangent) {}
  template <typename U, std::enable_if_t<std::is_arithmetic_v<U>, int> = 0>
  constexpr Dual(U value) : v(T(value)), d(T(0)) {}
  template <typename U,
            std::enable_if_t<Plain<U>::Depth == Plain<T>::Depth, int> = 0>
  constexpr Dual(const Dual<U> &o) : v(T(o.v)), d(T(o.d)) {}
  constexpr explicit operator int() const { return int(v); }
};

static_assert(std::is_trivial_v<Dual<double>>);
static_assert(std::is_trivial_v<Dual<Dual<double>>>);

template <typename T, int Depth> struct Nest {
  using Type = Dual<typename Nest<T, Depth - 1>::Type>;
};
template <typename T> struct Nest<T, 0> {
  using Type = T;
};

/// The number D over another base: Dual<float> over double is Dual<double>.
template <typename D, typename Base>
using Over = typename Nest<Base, Plain<D>::Depth>::Type;

template <bool Numbers, typename... A> struct Join {};
template <typename... A> struct Join<true, A...> {
  static constexpr int Depth = std::max({Plain<A>::Depth...});
  using Type = typename Nest<std::common_type_t<typename Plain<A>::Base...>,
                             Depth>::Type;
};

/// The type of an operation on these: as in C, of which one at least is dual.
template <typename... A>
using Joined =
    typename Join<((Plain<A>::Depth > 0) || ...) &&
                      (std::is_arithmetic_v<typename Plain<A>::Base> && ...),
                  A...>::Type;

/// What functions of <math.h> compute in: double in C, in C++ what they are
/// given, where that is a floating-point type.
#ifdef CPLUSPLUS
template <typename T>
using Computed = std::conditional_t<std::is_integral_v<T>, double, T>;
#else
template <typename T> using Computed = double;
#endif
template <typename... A>
using Result = Over<Joined<A...>,
                    std::common_type_t<Computed<typename Plain<A>::Base>...>>;

template <typename T> constexpr bool isZero(T a) { return a == 0; }
template <typename T> constexpr bool isZero(const Dual<T> &a) {
  return isZero(a.v) && isZero(a.d);
}

/// a * b, and 0 where one of them is.
template <typename T> constexpr T both(T a, T b) {
  return isZero(a) || isZero(b) ? T(0) : a * b;
}

/// partial * tangent, and 0 where the tangent is.
template <typename T> constexpr T along(T partial, T tangent) {
  return isZero(tangent) ? T(0) : partial * tangent;
}
template <typename T>
constexpr Dual<T> along(const Dual<T> &partial, const Dual<T> &tangent) {
  return {along(partial.v, tangent.v),
          along(partial.v, tangent.d) + both(partial.d, tangent.v)};
}

#define DUAL_OPERATOR(op, value, tangent)                                      \
  template <typename A, typename B>                                            \
  constexpr Joined<A, B> operator op(A left, B right) {                        \
    const Joined<A, B> a(left), b(right);                                      \
    return {value, tangent};                                                   \
  }                                                                            \
  template <typename T, typename B>                                            \
  constexpr Dual<T> &operator op##=(Dual<T> &left, B right) {                  \
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
  constexpr bool operator op(A left, B right) {                                \
    return R(left).v op R(right).v;                                            \
  }
DUAL_COMPARISON(<)
DUAL_COMPARISON(>)
DUAL_COMPARISON(<=)
DUAL_COMPARISON(>=)
DUAL_COMPARISON(==)
DUAL_COMPARISON(!=)
#undef DUAL_COMPARISON

template <typename T> bool signbit(const Dual<T> &a) {
  using std::signbit;
  return signbit(a.v);
}

// Partials are computed in the type of the values: numbers, or duals again.
#define DUAL_USING                                                             \
  using std::atan2, std::copysign, std::cos, std::cosh, std::exp, std::fabs,   \
      std::fmod, std::hypot, std::log, std::pow, std::rint, std::signbit,      \
      std::sin, std::sinh, std::sqrt;

/// One argument: x its value, out the result's. name_of computes in the type
/// that it is given, name as <math.h> does.
#define DUAL_ONE(name, partial)                                                \
  template <typename T> Dual<T> name##_of(const Dual<T> &a) {                  \
    DUAL_USING                                                                 \
    using std::name;                                                           \
    const T x(a.v), out(name(x));                                              \
    (void)x;                                                                   \
    return {out, along(T(partial), a.d)};                                      \
  }                                                                            \
  template <typename A, typename R = Result<A>> R name(const A &a) {           \
    return name##_of(R(a));                                                    \
  }
DUAL_ONE(sin, cos(x))
DUAL_ONE(cos, -sin(x))
DUAL_ONE(tan, 1 + out * out)
DUAL_ONE(asin, 1 / sqrt((1 - x) * (1 + x)))
DUAL_ONE(acos, -1 / sqrt((1 - x) * (1 + x)))
DUAL_ONE(atan, 1 / (1 + x * x))
DUAL_ONE(sinh, cosh(x))
DUAL_ONE(cosh, sinh(x))
DUAL_ONE(tanh, 1 / (cosh(x) * cosh(x)))
DUAL_ONE(asinh, 1 / sqrt(x * x + 1))
DUAL_ONE(exp, out)
DUAL_ONE(exp2, out * 0.69314718055994530942)
DUAL_ONE(expm1, exp(x))
DUAL_ONE(log, 1 / x)
DUAL_ONE(log2, 1 / (x * 0.69314718055994530942))
DUAL_ONE(log10, 1 / (x * 2.30258509299404568402))
DUAL_ONE(log1p, 1 / (1 + x))
DUAL_ONE(sqrt, 0.5 / out)
DUAL_ONE(cbrt, 1 / (3 * out * out))
DUAL_ONE(erf, 1.12837916709551257390 * exp(-x * x))
DUAL_ONE(erfc, -1.12837916709551257390 * exp(-x * x))
DUAL_ONE(fabs, x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0)
DUAL_ONE(floor, 0.0)
DUAL_ONE(ceil, 0.0)
DUAL_ONE(rint, 0.0)
#undef DUAL_ONE

/// Two arguments: x and y their values, out the result's.
#define DUAL_TWO(name, byX, byY)                                               \
  template <typename T>                                                        \
  Dual<T> name##_of(const Dual<T> &a, const Dual<T> &b) {                      \
    DUAL_USING                                                                 \
    using std::name;                                                           \
    const T x(a.v), y(b.v), out(name(x, y));                                   \
    (void)x, (void)y;                                                          \
    return {out, along(T(byX), a.d) + along(T(byY), b.d)};                     \
  }                                                                            \
  template <typename A, typename B, typename R = Result<A, B>>                 \
  R name(A a, B b) {                                                           \
    return name##_of(R(a), R(b));                                              \
  }
DUAL_TWO(pow, y == 0 ? T(0) : y * pow(x, y - 1), out *log(x))
DUAL_TWO(atan2, y / (x * x + y * y), -x / (x * x + y * y))
DUAL_TWO(hypot, out == 0 ? T(0) : x / out, out == 0 ? T(0) : y / out)
DUAL_TWO(fmax, y <= x ? 1.0 : 0.0, y <= x ? 0.0 : 1.0)
DUAL_TWO(fmin, x <= y ? 1.0 : 0.0, x <= y ? 0.0 : 1.0)
DUAL_TWO(fmod, 1.0, -rint((x - out) / y))
DUAL_TWO(fdim, x > y ? 1.0 : 0.0, x > y ? -1.0 : 0.0)
DUAL_TWO(copysign, x == 0 ? 0.0 : signbit(x) == signbit(y) ? 1.0 : -1.0, 0.0)
#undef DUAL_TWO

template <typename T>
Dual<T> fma_of(const Dual<T> &a, const Dual<T> &b, const Dual<T> &c) {
  using std::fma;
  return {fma(a.v, b.v, c.v), along(b.v, a.d) + along(a.v, b.d) + c.d};
}
template <typename A, typename B, typename C, typename R = Result<A, B, C>>
R fma(A a, B b, C c) {
  return fma_of(R(a), R(b), R(c));
}
template <typename T> Dual<T> ldexp(const Dual<T> &a, int k) {
  using std::ldexp;
  return {ldexp(a.v, k), ldexp(a.d, k)};
}

/// The functions that name their type.
#define DUAL_NAMED(name, letter, type)                                         \
  template <typename A, typename R = Over<Joined<A>, type>>                    \
  R name##letter(const A &a) {                                                 \
    return name##_of(R(a));                                                    \
  }
DUAL_NAMED(sin, f, float)
DUAL_NAMED(exp, f, float)
DUAL_NAMED(sin, l, long double)
DUAL_NAMED(cos, l, long double)
#undef DUAL_NAMED

#endif // ADZE_FUZZING_DUAL_H
