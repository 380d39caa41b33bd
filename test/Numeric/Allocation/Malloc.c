// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// malloc and free of run-time size, values carried through the heap.
// ADZE: vectorized
#include "check.h"
#include <stdlib.h>

double heap(const double *x, int n) {
  double *a = (double *)malloc((size_t)n * sizeof *a);
  for (int i = 0; i < n; ++i)
    a[i] = x[i] * x[i];
  double s = 1;
  for (int i = 0; i < n; ++i)
    s = s * a[i] + a[n - 1 - i];
  free(a);
  return s;
}

ADZE_TEST_ARRAY(heap, 4, ADZE_AT(0.9, 1.1, -0.7, 0.4))
