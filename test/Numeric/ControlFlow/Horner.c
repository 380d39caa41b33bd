// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A polynomial and its coefficients.
#include "check.h"

static double horner(const double *c, int n, double x) {
  double r = c[n - 1];
  for (int i = n - 2; i >= 0; --i)
    r = r * x + c[i];
  return r;
}
void polynomial(const double *x, double *y) { *y = horner(x, 5, x[5]); }

static void J(const double *x, double *j) {
  double p = 1;
  for (int i = 0; i < 5; ++i, p *= x[5])
    j[i] = p;
  j[5] = 0;
  for (int i = 4; i >= 1; --i)
    j[5] = j[5] * x[5] + i * x[i];
}
ADZE_TEST_MAP(polynomial, 6, 1, ADZE_AT(1.0, -2.0, 0.5, 3.0, -1.0, 0.75), .jacobian = J)
