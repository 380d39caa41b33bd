// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over moving pointers, forwards and backwards, and a pointer difference.
#include "check.h"

double walk(const double *x, int n) {
  const double *p = x, *q = x + n;
  double s = 0;
  while (p < q) {
    s += *p++ * *--q;
    s *= 1 + 0.1 * (double)(q - p);
  }
  return s;
}

ADZE_TEST_ARRAY(walk, 7, ADZE_AT(0.9, 1.1, -0.7, 0.4, 0.2, -0.6, 0.8))
