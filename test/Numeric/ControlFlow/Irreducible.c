// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two blocks that jump into each other's loop from outside.
#include "check.h"

double knot(double x, int enter) {
  int i = 0;
  double s = 1;
  if (enter)
    goto second;
first:
  s = s * x + 0.5;
  ++i;
  if (i > 7)
    return s;
second:
  s = s - x * x;
  i += 2;
  if (i < 9)
    goto first;
  return s * x;
}

void knots(const double *x, double *y) {
  y[0] = knot(x[0], 0);
  y[1] = knot(x[1], 1);
  y[2] = knot(x[1], x[0] > 0);
}

ADZE_TEST_MAP(knots, 2, 3, ADZE_AT(0.8, -0.6, -0.8, 0.9))
