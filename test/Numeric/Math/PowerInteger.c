// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer powers: by builtin powi and by a loop of multiplications.
#include "check.h"
#include <math.h>

void powers(const double *x, double *y) {
  for (int n = -3; n < 5; ++n)
    y[n + 3] = __builtin_powi(x[0], n) * x[1];
}
static void d(const double *x, double *j) {
  for (int n = -3; n < 5; ++n) {
    j[2 * (n + 3)] = n ? n * pow(x[0], n - 1) * x[1] : 0;
    j[2 * (n + 3) + 1] = pow(x[0], n);
  }
}
ADZE_TEST_MAP(powers, 2, 8, ADZE_AT(1.5, 0.5, -0.75, 2.0), .jacobian = d)
float quick(float x) { return __builtin_powif(x, 5); }
static double dquick(double x) { return 5 * pow(x, 4); }
ADZE_TEST_SCALAR1_T(float, quick, ADZE_AT(0.75, -1.25), .derivative = dquick)
