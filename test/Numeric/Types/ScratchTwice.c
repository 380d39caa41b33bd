// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scratch area handed to two functions that use it as different things.
#include "check.h"
#include <string.h>
static __attribute__((noinline)) double mean(const double *x, int n,
                                             void *work) {
  double *w = (double *)work, s = 0;
  memcpy(w, x, n * sizeof(double));
  for (int i = 0; i < n; ++i)
    s += w[i] * w[i];
  return s / n;
}
static __attribute__((noinline)) int largest(const double *x, int n,
                                             void *work) {
  int *rank = (int *)work;
  for (int i = 0; i < n; ++i) {
    rank[i] = 0;
    for (int j = 0; j < n; ++j)
      rank[i] += x[j] > x[i];
  }
  for (int i = 0; i < n; ++i)
    if (rank[i] == 0)
      return i;
  return 0;
}
void scratch(const double *x, double *y) {
  _Alignas(16) char work[64];
  double m = mean(x, 4, work);
  int k = largest(x, 4, work);
  y[0] = m * x[k] * mean(x, 3, work);
}
ADZE_TEST_MAP(scratch, 4, 1, ADZE_AT(0.9, 1.1, -0.7, 0.3))
