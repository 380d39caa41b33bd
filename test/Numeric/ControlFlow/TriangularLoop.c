// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inner bound is the outer counter; in both directions.
// ADZE: vectorized
#include "check.h"

double triangle(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double r = x[i];
    for (int j = 0; j <= i; ++j)
      r *= 1 + x[j] * x[i];
    for (int j = n - 1; j > i; --j)
      r -= x[j] * r;
    s += r;
  }
  return s;
}

ADZE_TEST_ARRAY(triangle, 5, ADZE_AT(0.3, -0.4, 0.2, 0.7, -0.1))
