// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// j0, j1, jn, y0, y1, yn.
// ADZE: flags=-D_DEFAULT_SOURCE
#include "functions.h"

ADZE_TEST_CALL1(j0, ADZE_AT(0.5, 3.0, -2.0))
ADZE_TEST_CALL1(j1, ADZE_AT(0.5, 3.0, -2.0))
ADZE_TEST_CALL1(y0, ADZE_AT(0.5, 3.0), .step = 2e-4)
ADZE_TEST_CALL1(y1, ADZE_AT(0.5, 3.0), .step = 2e-4)
double bessels(double x) {
  double s = 0;
  for (int n = -2; n < 5; ++n)
    s += jn(n, x) * (n + 3);
  return s;
}
double neumann(double x) { return yn(2, x) + yn(0, x) * yn(3, x); }
ADZE_TEST_SCALAR1(bessels, ADZE_AT(0.5, 3.0))
ADZE_TEST_SCALAR1(neumann, ADZE_AT(2.5, 3.0))
