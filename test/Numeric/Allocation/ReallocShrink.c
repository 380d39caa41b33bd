// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// realloc to a smaller and to a larger size keeps the front.
#include "check.h"
#include <stdlib.h>

double resize(const double *x, int n) {
  double *a = (double *)malloc(8 * sizeof *a);
  for (int i = 0; i < 8; ++i)
    a[i] = x[i % n] * (i + 1);
  a = (double *)realloc(a, 3 * sizeof *a);
  double s = a[0] * a[1] * a[2];
  a = (double *)realloc(a, 64 * sizeof *a);
  for (int i = 3; i < 64; ++i)
    a[i] = a[i - 3] * 0.9;
  for (int i = 0; i < 64; ++i)
    s += a[i] * a[63 - i];
  free(a);
  return s;
}

ADZE_TEST_ARRAY(resize, 3, ADZE_AT(0.9, 1.1, -0.7))
