// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results through pointers only, two of them, one not used by the caller.
#include "check.h"

__attribute__((noinline)) static void polar(double x, double y, double *r2, double *xy) {
  *r2 = x * x + y * y;
  *xy = x * y;
}

double half(double x, double y) {
  double a, b, c, d;
  polar(x, y, &a, &b);
  polar(a, y, &c, &d);
  return a * d;
}

ADZE_TEST_SCALAR2(half, ADZE_AT(0.9, 1.3, -0.4, 0.2))
