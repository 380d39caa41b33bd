// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callee allocates, another fills, the caller frees.
#include "check.h"
#include <stdlib.h>

static double *make(int n, double v) {
  double *a = (double *)malloc((size_t)n * sizeof *a);
  for (int i = 0; i < n; ++i)
    a[i] = v * (i + 1);
  return a;
}
static void fill(double *a, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    a[i] = a[i] * x[i] + a[0];
}

double caller(const double *x, int n) {
  double *a = make(n, x[0]), *b = make(n, 2.0);
  fill(b, x, n);
  fill(a, b, n);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * b[i];
  free(a);
  free(b);
  return s;
}

ADZE_TEST_ARRAY(caller, 4, ADZE_AT(0.9, 1.8, -0.7, 0.5))
