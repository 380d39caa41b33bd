// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array grown by realloc inside the loop that fills it.
#include "check.h"
#include <stdlib.h>

double grow(const double *x, int n) {
  double *a = NULL;
  int have = 0, used = 0;
  for (int i = 0; i < 3 * n; ++i) {
    if (used == have) {
      have = have ? 2 * have : 1;
      a = (double *)realloc(a, (size_t)have * sizeof *a);
    }
    a[used] = x[i % n] * (used ? a[used - 1] : 1);
    ++used;
  }
  double s = 0;
  for (int i = 0; i < used; ++i)
    s += a[i] * a[used - 1 - i];
  free(a);
  return s;
}

ADZE_TEST_ARRAY(grow, 3, ADZE_AT(0.9, 1.1, -0.7))
