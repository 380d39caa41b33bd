// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// lgamma_r returns its sign through a pointer.
// ADZE: flags=-D_DEFAULT_SOURCE
#include "check.h"
#include <math.h>

void logs(const double *x, double *y) {
  int sign = 7;
  y[0] = lgamma_r(x[0], &sign) * x[0];
  y[1] = sign * x[0];
}
static const double value[] = {0.57236494292470008707 * 0.5, 0.5, 1.26551212348464539649 * -0.5, 0.5};

ADZE_TEST_MAP(logs, 1, 2, ADZE_AT(0.5, -0.5), .value = value)
