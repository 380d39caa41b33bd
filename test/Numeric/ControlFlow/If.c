// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One branch on an active value.
#include "check.h"

double branch(double x) {
  double r = x;
  if (x > 1.0)
    r = x * x;
  return r;
}

static double d(double x) { return x > 1.0 ? 2 * x : 1; }
ADZE_TEST_SCALAR1(branch, ADZE_AT(0.5, 2.0, -3.0), .derivative = d)
