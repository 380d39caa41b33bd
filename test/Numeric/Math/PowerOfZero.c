// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow(0, y) with y known only when it runs: 0 to a positive power is constant in y.
#include "check.h"
#include <math.h>

static double dx(double y) { return y == 1 ? 1 : 0; }
double power(double x, double y) { return pow(x, y); }
static void d(const double *x, double *j) {
  j[0] = dx(x[1]);
  j[1] = 0;
}
ADZE_TEST_SCALAR2(power, ADZE_AT(0.0, 2.0, 0.0, 3.5, 0.0, 1.0, 0.0, 2.5), .jacobian = d,
                  .flags = ADZE_NO_DIFFERENCES)
double square(double x) { return pow(x, 2.0) + pow(x, 3.0); }
static double dsquare(double x) { return 2 * x + 3 * x * x; }
ADZE_TEST_SCALAR1(square, ADZE_AT(0.0, 1.5), .derivative = dsquare)
double zeroth(double x) { return pow(x, 0.0) + x; }
static double dzeroth(double x) { return 1 + 0 * x; }
ADZE_TEST_SCALAR1(zeroth, ADZE_AT(0.0, 1.5), .derivative = dzeroth)
