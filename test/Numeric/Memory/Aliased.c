// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two arguments inside a callee that are the same memory.
#include "check.h"

static void accumulate(double *a, const double *b, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = a[i] * b[n - 1 - i] + b[i];
}

void alias(double *x) {
  accumulate(x, x, 5);
  accumulate(x, x + 1, 4);
  accumulate(x + 1, x, 4);
}

ADZE_TEST_INPLACE(alias, 5, ADZE_AT(0.9, 1.1, -0.7, 0.4, 0.6))
