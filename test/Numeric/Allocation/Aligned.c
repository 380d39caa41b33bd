// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// aligned_alloc and posix_memalign.
// ADZE: flags=-D_GNU_SOURCE
#include "check.h"
#include <stdlib.h>

double aligned(const double *x, int n) {
  double *a = (double *)aligned_alloc(64, 128);
  double *b;
  if (posix_memalign((void **)&b, 32, 16 * sizeof *b))
    return 0;
  for (int i = 0; i < 16; ++i) {
    a[i] = x[i % n] * x[i % n];
    b[i] = a[i] * x[(i + 1) % n];
  }
  double s = 0;
  for (int i = 0; i < 16; ++i)
    s += a[i] * b[15 - i];
  free(b);
  free(a);
  return s;
}

ADZE_TEST_ARRAY(aligned, 3, ADZE_AT(0.9, 0.8, -0.7))
