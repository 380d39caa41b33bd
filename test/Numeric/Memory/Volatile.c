// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// volatile loads and stores of an active value.
#include "check.h"

double loose(double x) {
  volatile double v = x * x;
  v = v * x;
  return v + x;
}

static double d(double x) { return 3 * x * x + 1; }
ADZE_TEST_SCALAR1(loose, ADZE_AT(0.9, -1.3), .derivative = d)
