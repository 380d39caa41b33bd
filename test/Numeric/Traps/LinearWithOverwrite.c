// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linear code needs no values kept, but its adjoints must still move in order.
#include "check.h"

void linear(double *x) {
  for (int t = 0; t < 3; ++t) {
    double first = x[0];
    for (int i = 0; i < 4; ++i)
      x[i] = 2 * x[i + 1] - x[i];
    x[4] = first - x[4];
  }
}

ADZE_TEST_INPLACE(linear, 5, ADZE_AT(0.5, 0.7, -0.4, 1.3, 0.1))
