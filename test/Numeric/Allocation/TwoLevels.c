// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows allocated one by one under an allocated table.
#include "check.h"
#include <stdlib.h>

double rows(const double *x, int n) {
  double **a = (double **)malloc((size_t)n * sizeof *a);
  for (int i = 0; i < n; ++i) {
    a[i] = (double *)calloc((size_t)(i + 1), sizeof **a);
    for (int j = 0; j <= i; ++j)
      a[i][j] = x[i] * x[j];
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      s += a[i][j] * a[n - 1][j] * (j + 1);
  for (int i = 0; i < n; ++i)
    free(a[i]);
  free(a);
  return s;
}

ADZE_TEST_ARRAY(rows, 4, ADZE_AT(0.9, 1.8, -0.7, 0.5))
