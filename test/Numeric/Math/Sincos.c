// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sincos writes both results through pointers.
// ADZE: flags=-D_GNU_SOURCE
#include "check.h"
#include <math.h>

void both(const double *x, double *y) {
  double s, c;
  sincos(x[0] * x[1], &s, &c);
  y[0] = s * c;
  y[1] = c * x[0];
  sincos(x[1], &y[2], &y[3]);
}
ADZE_TEST_MAP(both, 2, 4, ADZE_AT(0.7, 1.1, -2.0, 0.3))

float bothf(float x) {
  float s, c;
  sincosf(x, &s, &c);
  return s * c;
}
static double d(double x) { return cos(2 * x); }
ADZE_TEST_SCALAR1_T(float, bothf, ADZE_AT(0.75, -2.0), .derivative = d)
ldouble bothl(ldouble x) {
  ldouble s, c;
  sincosl(x, &s, &c);
  return s * c;
}
ADZE_TEST_SCALAR1_T(ldouble, bothl, ADZE_AT(0.75, -2.0))
