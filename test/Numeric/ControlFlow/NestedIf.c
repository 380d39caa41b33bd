// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ifs three deep, arms of different length.
#include "check.h"
#include <math.h>

double decide(double x, double y) {
  double r = 1;
  if (x > 0) {
    r = x;
    if (y > 0) {
      r *= y;
      if (x > y)
        r = exp(r) - y;
    } else if (y > -1)
      r -= y * y;
  } else
    r = y;
  return r * x;
}

ADZE_TEST_SCALAR2(decide, ADZE_AT(0.5, 0.2, 0.2, 0.5, 0.5, -0.5, 0.5, -2.0, -0.5, 1.0))
