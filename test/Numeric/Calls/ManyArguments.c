// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More arguments than registers, of different types.
#include "check.h"

__attribute__((noinline)) static double many(double a, int i, double b, float c, double d,
                                             long j, double e, double f, double g,
                                             double h, const double *p, double k, int l,
                                             double m) {
  return a * b + c * d * i + e * f * (double)j + g * h * p[l] + k * m;
}

void manys(const double *x, double *y) {
  y[0] = many(x[0], 2, x[1], 1.5f, x[2], 3, x[3], x[0], x[1], x[2], x, x[3], 1, x[0]);
  y[1] = many(1, 2, x[1], (float)0.25, 2, 3, x[3], 4, x[1], 5, x + 1, 6, 2, x[0]);
}

ADZE_TEST_MAP(manys, 4, 2, ADZE_AT(0.9, 1.3, -0.4, 0.2))
