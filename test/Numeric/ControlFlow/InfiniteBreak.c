// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// for (;;) with the only exit in the middle of the body.
#include "check.h"

double spiral(double x, double y) {
  double s = 0;
  for (;;) {
    s += x * y;
    if (s > 10)
      break;
    x = x * 1.25 + 0.1 * y;
    y = y - 0.05 * x;
  }
  return s * x;
}

ADZE_TEST_SCALAR2(spiral, ADZE_AT(1.0, 2.0, 0.5, 3.0))
