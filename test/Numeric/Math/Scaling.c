// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ldexp, scalbn, scalbln with exponents from run time.
#include "check.h"
#include <math.h>

void scaled(const double *x, double *y) {
  for (int i = 0; i < 4; ++i) {
    y[i] = ldexp(x[i % 2], i - 2) * scalbn(x[0], 2 * i);
    y[i] += scalbln(x[1], -(long)i);
  }
}
ADZE_TEST_MAP(scaled, 2, 4, ADZE_AT(7.3, 2.5))

float scaledf(float x) { return ldexpf(x, 3) * scalbnf(x, -2); }
ldouble scaledl(ldouble x) { return ldexpl(x, 3) * scalblnl(x, -2); }
static double d(double x) { return 4 * x; }
ADZE_TEST_SCALAR1_T(float, scaledf, ADZE_AT(7.25, -0.375), .derivative = d)
ADZE_TEST_SCALAR1_T(ldouble, scaledl, ADZE_AT(7.25, -0.375), .derivative = d)
