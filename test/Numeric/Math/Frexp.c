// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// frexp: the mantissa is active, the exponent is a number the primal needs.
#include "check.h"
#include <math.h>

void parts(const double *x, double *y) {
  int e = 99;
  double m = frexp(x[0] * x[1], &e);
  y[0] = m * m;
  y[1] = e * x[0];
  y[2] = ldexp(m, e) * x[1];
}
static void d(const double *x, double *j) {
  int e;
  double p = x[0] * x[1], m = frexp(p, &e), dm = ldexp(1, -e);
  j[0] = 2 * m * dm * x[1];
  j[1] = 2 * m * dm * x[0];
  j[2] = e;
  j[3] = 0;
  j[4] = x[1] * x[1];
  j[5] = 2 * p;
}

ADZE_TEST_MAP(parts, 2, 3, ADZE_AT(7.3, 2.5, -0.1, 0.3), .jacobian = d)
