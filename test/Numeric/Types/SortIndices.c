// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// qsort of indices with a comparison of constant keys, then active data in that
// order.
#include "check.h"
#include <stdlib.h>

static const double keys[4] = {0.4, 0.1, 0.9, 0.2};

static int compare(const void *a, const void *b) {
  double u = keys[*(const int *)a], v = keys[*(const int *)b];
  return (u > v) - (u < v);
}

double sorted(const double *x, int n) {
  int order[4];
  for (int i = 0; i < n; ++i)
    order[i] = i;
  qsort(order, (size_t)n, sizeof order[0], compare);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s = s * x[order[i]] + x[i];
  return s;
}

ADZE_TEST_ARRAY(sorted, 4, ADZE_AT(0.9, 0.8, -0.7, 0.3))
