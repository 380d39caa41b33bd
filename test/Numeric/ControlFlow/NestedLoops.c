// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two nested loops; the inner one carries a value the outer one uses.
// ADZE: vectorized
#include "check.h"
#include <math.h>

void nested(const double *x, double *y) {
  for (int i = 0; i < 3; ++i) {
    double s = x[i];
    for (int j = 0; j < 4; ++j)
      s = sin(s) + s * x[(i + j) % 4];
    y[i] = s;
  }
}

ADZE_TEST_MAP(nested, 4, 3, ADZE_AT(0.3, -0.2, 0.7, 0.1))
