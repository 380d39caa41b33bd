// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sqrt, cbrt, hypot.
#include "functions.h"

ADZE_TEST_ALL1(sqrt, ADZE_AT(0.5, 20.0))
ADZE_TEST_ALL1(cbrt, ADZE_AT(0.5, 20.0, -3.0))
ADZE_TEST_ALL2(hypot, ADZE_AT(3.0, 4.0, -1.0, 0.25, 0.0, 2.0))
double large(double x, double y) { return hypot(x, y); }
static void d(const double *x, double *j) {
  double r = hypot(x[0], x[1]);
  j[0] = x[0] / r;
  j[1] = x[1] / r;
}
ADZE_TEST_SCALAR2(large, ADZE_AT(3e200, 4e200, 1e-200, 3e-200), .jacobian = d,
                  .flags = ADZE_NO_DIFFERENCES)
