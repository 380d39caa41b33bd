// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two functions that call each other.
#include "check.h"
#include <math.h>

static double odd(double x, int n);
__attribute__((noinline)) static double even(double x, int n) {
  return n == 0 ? x : x * odd(sin(x), n - 1);
}
__attribute__((noinline)) static double odd(double x, int n) {
  return n == 0 ? 1 / x : even(x * x + 1, n - 1) + x;
}

void mutual(const double *x, double *y) {
  y[0] = even(x[0], 4);
  y[1] = even(x[1], 5);
  y[2] = odd(x[0] * x[1], 3);
}

ADZE_TEST_MAP(mutual, 2, 3, ADZE_AT(0.9, 1.3))
