// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A switch on a constant argument with a default.
#include "check.h"
#include <math.h>

static double apply(double x, int op) {
  switch (op) {
  case 0:
    return x * x;
  case 1:
    return sin(x);
  case 2:
    return 1 / x;
  case 7:
    return 3;
  default:
    return x;
  }
}

void all(const double *x, double *y) {
  for (int i = 0; i < 9; ++i)
    y[i] = apply(x[i % 3] + 0.5, i) * x[0];
}

ADZE_TEST_MAP(all, 3, 9, ADZE_AT(0.7, 1.3, -2.0))
