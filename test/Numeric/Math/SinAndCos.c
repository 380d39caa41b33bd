// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin and cos of one argument, which the optimizer may join.
#include "check.h"
#include <math.h>

void rotate(const double *x, double *y) {
  double c = cos(x[2]), s = sin(x[2]);
  y[0] = c * x[0] - s * x[1];
  y[1] = s * x[0] + c * x[1];
}
static void d(const double *x, double *j) {
  double c = cos(x[2]), s = sin(x[2]);
  j[0] = c, j[1] = -s, j[2] = -s * x[0] - c * x[1];
  j[3] = s, j[4] = c, j[5] = c * x[0] - s * x[1];
}
ADZE_TEST_MAP(rotate, 3, 2, ADZE_AT(0.7, 1.1, -2.0), .jacobian = d)
