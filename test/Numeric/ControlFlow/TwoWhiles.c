// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two while loops in a row over one counter; the function is called three times.
#include "check.h"

static double pass(const double *x, int n) {
  int i = 0;
  double s = 1;
  while (i < n && s < 3) {
    s += x[i] * s;
    ++i;
  }
  while (i < n) {
    s *= x[i];
    ++i;
  }
  return s;
}

void thrice(const double *x, double *y) {
  y[0] = pass(x, 6);
  y[1] = pass(x + 1, 5) * y[0];
  y[2] = pass(x, 3) + pass(x + 2, 2) * y[1];
}

ADZE_TEST_MAP(thrice, 6, 3, ADZE_AT(0.9, 0.8, 0.7, 1.1, 0.6, 1.3))
