// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An allocation and its free in every round, of growing size.
#include "check.h"
#include <stdlib.h>

double rounds(const double *x, int n) {
  double s = 1;
  for (int t = 1; t <= 5; ++t) {
    double *a = (double *)malloc((size_t)t * sizeof *a);
    for (int i = 0; i < t; ++i)
      a[i] = x[i % n] * s;
    for (int i = 0; i < t; ++i)
      s += 0.1 * a[i] * a[t - 1 - i];
    free(a);
  }
  return s;
}

ADZE_TEST_ARRAY(rounds, 3, ADZE_AT(0.9, 0.8, -0.7))
