// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variable length arrays and alloca, also in a callee that is called in a loop.
#include "check.h"
#include <alloca.h>

static double inner(const double *x, int n) {
  double a[n];
  double *b = (double *)alloca((unsigned)n * sizeof *b);
  for (int i = 0; i < n; ++i) {
    a[i] = x[i] * x[i];
    b[i] = a[i] * (i + 1);
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * b[n - 1 - i];
  return s;
}

double stack(const double *x, int n) {
  double s = 0;
  for (int k = 1; k <= n; ++k)
    s = 0.5 * s + inner(x, k) * (1 + s);
  return s;
}

ADZE_TEST_ARRAY(stack, 4, ADZE_AT(0.9, 0.8, -0.7, 0.5))
