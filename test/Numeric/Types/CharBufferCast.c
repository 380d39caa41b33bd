// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doubles in an aligned array of bytes, through casts.
#include "check.h"
#include <stddef.h>

double bytes(const double *x, int n) {
  _Alignas(double) unsigned char raw[6 * sizeof(double)];
  double *d = (double *)raw;
  for (int i = 0; i < n; ++i)
    d[i] = x[i] * x[0];
  int *count = (int *)(raw + 5 * sizeof(double));
  *count = 0;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += *(double *)(raw + (size_t)i * sizeof(double)) * d[n - 1 - i];
    ++*count;
  }
  return s * *count;
}

ADZE_TEST_ARRAY(bytes, 4, ADZE_AT(0.9, 0.8, -0.7, 0.3))
