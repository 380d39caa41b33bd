// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A heap value that a derivative needs is freed long before the reverse pass.
#include "check.h"
#include <math.h>
#include <stdlib.h>

static double norm(const double *x, int n) {
  double *sq = (double *)malloc((size_t)n * sizeof *sq);
  double s = 0;
  for (int i = 0; i < n; ++i)
    sq[i] = exp(x[i]);
  for (int i = 0; i < n; ++i)
    s += sq[i] * sq[i] * sq[(i + 1) % n];
  free(sq);
  return s;
}

double twice(const double *x, int n) {
  double a = norm(x, n);
  double b = norm(x + 1, n - 1);
  return a * b;
}

ADZE_TEST_ARRAY(twice, 4, ADZE_AT(0.1, -0.2, 0.3, 0.15))
