// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that never run, and one that ends the program.
#include "check.h"
#include <stdlib.h>

static double guard(double x) {
  if (x != x) {
    abort();
  }
  if (x > 1e30)
    __builtin_unreachable();
  return x * x;
}

double never(double x) {
  if (0) {
    x = x * 17;
  }
  double r = guard(x) + 1;
  return r * x;
  r = 0;
  return r;
}

static double d(double x) { return 3 * x * x + 1; }
ADZE_TEST_SCALAR1(never, ADZE_AT(0.5, -2.0), .derivative = d)
