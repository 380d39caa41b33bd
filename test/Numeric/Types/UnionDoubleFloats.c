// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A union of a double and two floats, of which a run uses one or the other.
// ADZE: may-refuse
#include "check.h"

union cell {
  double wide;
  float narrow[2];
};

static double value(const union cell *c, int narrow) {
  return narrow ? (double)c->narrow[0] * (double)c->narrow[1]
                : c->wide * c->wide;
}

double cells(double x, double y) {
  union cell a, b;
  a.wide = x * y;
  b.narrow[0] = (float)x;
  b.narrow[1] = (float)y;
  return value(&a, 0) * 2 + value(&b, 1);
}

ADZE_TEST_SCALAR2(cells, ADZE_AT(0.75, 1.25, -0.5, 0.375), .tolerance = 1e-3)
