// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three-way comparisons of integers, which the optimizer may join, choose the arm.
#include "check.h"

static int compare(int a, int b) { return a < b ? -1 : a > b; }
static int order(unsigned a, unsigned b) { return (a > b) - (a < b); }

double compared(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      s += compare(i, j) * x[i] * 0.5;
      s *= 1 + 0.1 * order((unsigned)j, (unsigned)i + 1) * x[j];
    }
  return s;
}

ADZE_TEST_ARRAY(compared, 3, ADZE_AT(0.5, 0.7, -0.4))
