// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The method (Abramowitz and Stegun 6.3.5, 6.3.7, 6.3.18):
//   reflection   x <= 0:  psi(x) = psi(1 - x) - pi / tan(pi x)
//   recurrence   y < L:   psi(y) = psi(y + 1) - 1 / y
//   asymptotic   y >= L:  psi(y) ~ ln y - 1 / (2 y) - sum B_2k / (2k y^2k)
// With L = 10 and eight terms the remainder is below 2^-53, with L = 20 below
// 2^-64. At the poles the result is infinite.

/// One function for each type. Near is x brought near 0, which the tangent's
/// period allows and pi's rounding demands; the factors of the sum are B_2k /
/// 2k for k = 8 .. 1.
#define DIGAMMA(NAME, Float, L, PI)                                            \
  Float NAME(Float X) {                                                        \
    Float Y = X, Sum = 0;                                                      \
    if (X <= 0) {                                                              \
      Float Near = X - __builtin_elementwise_rint(X);                          \
      Float Angle = PI * Near;                                                 \
      Y = 1 - X;                                                               \
      Sum = -(PI * __builtin_elementwise_cos(Angle) /                          \
              __builtin_elementwise_sin(Angle));                               \
    }                                                                          \
    for (; Y < L; Y += 1)                                                      \
      Sum -= 1 / Y;                                                            \
    Float OverY = 1 / Y, Square = OverY * OverY, Tail = 0;                     \
    const Float Factors[8] = {(Float) - 3617 / 8160, (Float)1 / 12,            \
                              (Float) - 691 / 32760, (Float)1 / 132,           \
                              (Float) - 1 / 240,     (Float)1 / 252,           \
                              (Float) - 1 / 120,     (Float)1 / 12};           \
    _Pragma("clang loop unroll(full)") for (int K = 0; K < 8; ++K) Tail =      \
        (Tail + Factors[K]) * Square;                                          \
    Float Log = __builtin_elementwise_log(Y);                                  \
    return Sum + (Log - (Float)0.5 * OverY - Tail);                            \
  }

DIGAMMA(adze_digamma_f64, double, 10, 3.14159265358979323846)
DIGAMMA(adze_digamma_f80, long double, 20, 3.14159265358979323846264L)
DIGAMMA(adze_digamma_f128, __float128, 20,
        3.14159265358979323846264338327950288Q)

/// Through double: exact to the last bit, and the recurrence loses nothing.
float adze_digamma_f32(float X) { return (float)adze_digamma_f64(X); }
