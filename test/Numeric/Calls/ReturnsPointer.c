// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that return one of their pointer arguments, a part of it, or a new one.
#include "check.h"

__attribute__((noinline)) static double *larger(double *a, double *b) {
  return *a > *b ? a : b;
}
__attribute__((noinline)) static double *nth(double *a, int i) { return a + i; }

void choose(double *a) {
  *larger(a, a + 1) *= a[2];
  *nth(a, 2) += *larger(nth(a, 0), nth(a, 3));
  *larger(nth(a, 3), a) = a[0] * a[1];
}

ADZE_TEST_INPLACE(choose, 4, ADZE_AT(0.9, 1.3, -0.4, 0.2, 1.9, 0.3, 0.6, 2.2))
