// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One buffer, first for doubles, then for integers, then for floats.
#include "check.h"
#include <stdlib.h>
#include <string.h>

void reused(const double *x, double *y) {
  char *buffer = (char *)malloc(64);
  double *d = (double *)buffer;
  for (int i = 0; i < 4; ++i)
    d[i] = x[i] * x[i];
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    sum += d[i];
  long *n = (long *)buffer;
  for (int i = 0; i < 4; ++i)
    n[i] = i + 1;
  long count = 0;
  for (int i = 0; i < 4; ++i)
    count += n[i];
  y[0] = sum * count;
  free(buffer);
}
ADZE_TEST_MAP(reused, 4, 1, ADZE_AT(0.9, 1.1, -0.7, 0.3))
