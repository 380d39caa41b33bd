// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rounded by a large addend that is taken away again: a step, although a sum
// has the derivative 1. Other sums with large constants have it.
// (With -ffast-math clang drops the rounding of the function itself.)
// ADZE: no-fast
#include "check.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

double exponential(double x) {
  const double large = 6755399441055744.0; // 1.5 * 2^52
  double k = (x * 1.4426950408889634 + large) - large;
  double r = x - k * 0.6931471805599453, p = 1, term = 1;
  for (int i = 1; i < 12; ++i)
    p += term *= r / i;
  return ldexp(p, (int)k);
}
ADZE_TEST_SCALAR1(exponential, ADZE_AT(1.7, -0.3, 12.0), .derivative = exp,
                  .exact = 1e-9)

// The integer is taken from the bits of the sum.
double bits(double x) {
  double sum = x * 1.4426950408889634 + 6755399441055744.0;
  int64_t i;
  memcpy(&i, &sum, sizeof i);
  double r = x - (sum - 6755399441055744.0) * 0.6931471805599453, p = 1,
         term = 1, scale;
  i = (i + 1023) << 52;
  memcpy(&scale, &i, sizeof i);
  for (int k = 1; k < 12; ++k)
    p += term *= r / k;
  return p * scale;
}
ADZE_TEST_SCALAR1(bits, ADZE_AT(1.7, -0.3, 12.0), .derivative = exp,
                  .exact = 1e-9)

float fraction(float x) {
  float k = 12582912.0f + x;
  k -= 12582912.0f;
  return (x - k) * (x - k);
}
static double twiceFraction(double x) { return 2 * (x - rint(x)); }
ADZE_TEST_SCALAR1_T(float, fraction, ADZE_AT(1.7, -0.3),
                    .derivative = twiceFraction, .flags = ADZE_NO_DIFFERENCES,
                    .exact = 1e-5)

double offset(double x, double y) {
  return (x + 4.0) * y - 4.0 * y + (1e17 + x * 1e16) / 1e16;
}
ADZE_TEST_SCALAR2(offset, ADZE_AT(1.7, 0.7), .tolerance = 1e-4, .step = 0.25)
