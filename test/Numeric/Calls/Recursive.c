// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that calls itself, once and twice.
#include "check.h"

static double power(double x, int n) {
  if (n == 0)
    return 1;
  double h = power(x, n / 2);
  return n % 2 ? h * h * x : h * h;
}
static double tree(double x, int depth) {
  if (depth == 0)
    return x;
  return tree(x * 0.5, depth - 1) * tree(x + 0.1, depth - 1) + x;
}

void recursive(const double *x, double *y) {
  for (int i = 0; i < 6; ++i)
    y[i] = power(*x, i);
  y[6] = tree(*x, 4);
}

ADZE_TEST_MAP(recursive, 1, 7, ADZE_AT(0.9, -1.3))
