// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many values of different types to keep per round: doubles, floats, integers, conditions.
#include "check.h"
#include <math.h>

double many(const double *x, int n) {
  double s = 0.5;
  float f = 0.25f;
  int k = 1;
  for (int i = 0; i < 20; ++i) {
    double a = sin(s * x[i % n]);
    double b = exp(-a * a) + s;
    if (b > s + 0.9)
      k += 2;
    else
      --k;
    if ((k & 3) == 0)
      f = f * 1.5f;
    s = b * 0.5 + a * (double)f * x[(unsigned)k % (unsigned)n];
  }
  return s;
}

ADZE_TEST_ARRAY(many, 3, ADZE_AT(0.5, 0.7, -0.4))
