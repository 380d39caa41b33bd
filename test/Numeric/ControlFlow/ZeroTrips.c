// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that do not run at all on some or all calls.
#include "check.h"

static double sum(const double *x, int n) {
  double s = x[0];
  for (int i = 0; i < n; ++i)
    s = s * x[i] + 1;
  return s;
}

void sums(const double *x, double *y) {
  y[0] = sum(x, 0);
  y[1] = sum(x, -3);
  y[2] = sum(x, 1);
  y[3] = sum(x, 3);
}

ADZE_TEST_MAP(sums, 3, 4, ADZE_AT(1.5, -0.5, 2.0))
