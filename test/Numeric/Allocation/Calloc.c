// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// calloc: zero, then accumulated into; also calloc(0) and free(NULL).
#include "check.h"
#include <stdlib.h>

double cleared(const double *x, int n) {
  double *a = (double *)calloc((size_t)n, sizeof *a);
  void *nothing = calloc(0, 8);
  for (int i = 0; i < 3 * n; ++i)
    a[i % n] += x[i % n] * x[(i + 1) % n];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * a[i] * x[0];
  free(nothing);
  free(NULL);
  free(a);
  return s;
}

ADZE_TEST_ARRAY(cleared, 4, ADZE_AT(0.9, 1.1, -0.7, 0.4))
