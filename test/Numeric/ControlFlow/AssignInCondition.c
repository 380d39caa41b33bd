// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An assignment in a loop condition, a chained assignment, a comma, a loop variable that is
// itself active, and a for without increment.
#include "check.h"

double odd(double x, double y) {
  double u, v, w;
  u = v = w = 0;
  int i = 5;
  while ((u = u + x * 0.5) < 2)
    v += u * y;
  for (double t = x; t < 3; t *= 1.5)
    w += t * t;
  for (; i > 0;)
    w += v * 0.1, --i;
  return u * v + w;
}

ADZE_TEST_SCALAR2(odd, ADZE_AT(0.9, 0.3, 1.7, -2.0))
