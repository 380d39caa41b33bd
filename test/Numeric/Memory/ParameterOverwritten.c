// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parameters and locals that are overwritten before and after use.
#include "check.h"

double reuse(double x, double y) {
  double u = x * y;
  x = 3;
  u += x * y;
  y = u * u;
  x = y * x + u;
  u = 0;
  u += x;
  return u * y;
}

ADZE_TEST_SCALAR2(reuse, ADZE_AT(0.9, 0.4, -1.3, 0.2))
