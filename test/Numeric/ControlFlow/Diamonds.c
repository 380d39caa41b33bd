// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sixty diamonds in a row: a search over phis without a memo never ends here.
// ADZE: compile-limit=30
#include "check.h"
#include <math.h>

#define STEP(c) r = r * (1 + c) > x ? r * (0.9 + 0.001 * c) : r + 0.01 * x * (c + 1);
#define TEN(c)                                                                           \
  STEP(c) STEP(c + 1) STEP(c + 2) STEP(c + 3) STEP(c + 4) STEP(c + 5) STEP(c + 6)        \
  STEP(c + 7) STEP(c + 8) STEP(c + 9)

double diamonds(double x, double r) {
  TEN(0) TEN(1) TEN(2) TEN(3) TEN(4) TEN(5)
  return r;
}

ADZE_TEST_SCALAR2(diamonds, ADZE_AT(0.7, 0.3, 2.0, 1.5))
