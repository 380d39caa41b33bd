// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function called through a cast with fewer parameters than it has.
#include "check.h"

__attribute__((noinline)) static double two(double x, double y) {
  (void)y;
  return x * x;
}

double fewer(double x) {
  double (*one)(double) = (double (*)(double))two;
  return one(x) + x;
}

static double d(double x) { return 2 * x + 1; }
ADZE_TEST_SCALAR1(fewer, ADZE_AT(0.9, -1.5), .derivative = d)
