// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program in long double throughout; its precision must survive.
#include "check.h"
#include <math.h>

void work(const ldouble *x, ldouble *y) {
  ldouble s = 0, p = 1;
  for (int i = 0; i < 6; ++i) {
    p = p * 0.5L + x[i];
    s += expl(-p) * x[5 - i];
  }
  y[0] = s;
  y[1] = s / p;
}
ADZE_TEST_MAP_T(ldouble, work, 6, 2, ADZE_AT(0.75, 1.25, -0.5, 0.25, 0.5, -1.0))

ldouble cube(ldouble x) { return x * x * x / 3; }
ldouble precise(ldouble x) { return cube(x) + 1e-18L * x; }
static void twin(const long double *x, long double *y) { *y = x[0] * x[0] * x[0] / 3 + 1e-18L * x[0]; }
ADZE_TEST_SCALAR1_T(ldouble, precise, ADZE_AT(1.0, 3.0), .twin = twin)
