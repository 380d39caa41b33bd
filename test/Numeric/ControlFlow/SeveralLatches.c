// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Back edges from different places of one loop body.
#include "check.h"

double latches(double x, double y) {
  int i = 0;
  double s = 0;
top:
  ++i;
  if (i > 12)
    return s;
  if (i % 3 == 0) {
    s += x * y;
    goto top;
  }
  x = 0.9 * x + 0.1 * y;
  if (i % 3 == 1)
    goto top;
  s = s * y + x;
  goto top;
}

ADZE_TEST_SCALAR2(latches, ADZE_AT(1.0, 0.5, -0.3, 0.8))
