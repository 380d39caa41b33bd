// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Infinities that belong to the primal: limits of integration, initial minima, saturation.
#include "check.h"
#include <math.h>

double smallest(const double *x, int n) {
  double m = INFINITY, s = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] * x[i] < m)
      m = x[i] * x[i];
    s += exp(-1 / (x[i] * x[i]));
  }
  return m + s + exp(-m * 1e308);
}

ADZE_TEST_ARRAY(smallest, 3, ADZE_AT(0.75, 1.125, -0.5))

double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static const double flat[] = {0, 0.25, 0};
ADZE_TEST_SCALAR1(sigmoid, ADZE_AT(800.0, 0.0, -700.0), .expected = flat,
                  .flags = ADZE_NO_DIFFERENCES, .exact = 1e-12)
