// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A long tail recursion with accumulators.
#include "check.h"

static double sum(double x, double acc, int n) {
  return n == 0 ? acc : sum(x * 0.99, acc + x * acc * 0.01, n - 1);
}

double tail(double x, double y) { return sum(x, y, 200); }

ADZE_TEST_SCALAR2(tail, ADZE_AT(0.9, 1.3, -2.0, 0.5))
