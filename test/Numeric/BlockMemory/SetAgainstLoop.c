// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memset and an element loop do the same.
#include "check.h"
#include <string.h>

static double work(double *a, const double *x, int bySet, int n) {
  double s = 0;
  for (int t = 0; t < 3; ++t) {
    if (bySet)
      memset(a, 0, (size_t)n * sizeof *a);
    else
      for (int i = 0; i < n; ++i)
        a[i] = 0;
    for (int i = 0; i < n; ++i)
      a[i] += x[i] * (t + 1) + s;
    for (int i = 0; i < n; ++i)
      s += a[i] * a[i] * 0.05;
  }
  return s;
}

void both(const double *x, double *y) {
  double a[4];
  y[0] = work(a, x, 1, 4);
  y[1] = work(a, x, 0, 4);
  y[2] = work(a, x, x[0] > 0, 3);
}

ADZE_TEST_MAP(both, 4, 3, ADZE_AT(0.9, 1.1, -0.7, 0.4))
