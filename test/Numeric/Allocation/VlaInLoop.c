// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable length array whose scope is one round.
#include "check.h"

double vla(const double *x, int n) {
  double s = 0.5;
  for (int k = 1; k <= n; ++k) {
    double a[k];
    for (int i = 0; i < k; ++i)
      a[i] = s * x[i] + i;
    for (int i = 0; i < k; ++i)
      s += 0.05 * a[i] * a[k - 1 - i];
  }
  return s;
}

ADZE_TEST_ARRAY(vla, 5, ADZE_AT(0.9, 0.8, -0.7, 0.5, 0.3))
