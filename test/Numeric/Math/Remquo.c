// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// remquo returns low bits of the quotient through a pointer; both results are used.
#include "check.h"
#include <math.h>

void parts(const double *x, double *y) {
  int q = 99;
  y[0] = remquo(x[0], x[1], &q) * x[1];
  y[1] = (q & 7) * x[0];
  float rf = remquof(7.25f, 2.0f, &q);
  y[2] = rf * x[1] + q;
}
static const double value[] = {-1.4, 29.2, -0.75 * 2 + 4};

ADZE_TEST_MAP(parts, 2, 3, ADZE_AT(7.3, 2.0), .value = value)
