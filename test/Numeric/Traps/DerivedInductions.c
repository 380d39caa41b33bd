// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loop counters that the optimizer rewrites: i*i, pointers with strides, a counter that the
// loop leaves behind, and its use as a float.
#include "check.h"

double inductions(const double *x, int n) {
  double s = 0;
  int i, sq = 0;
  for (i = 0; i < n; ++i) {
    s += x[i] * sq + (double)i * x[n - 1 - i] * s * 0.01;
    sq += 2 * i + 1;
  }
  for (long k = 0; k < (long)n * n; k += n)
    s += x[k / n] * x[k % n];
  return s * i;
}

ADZE_TEST_ARRAY(inductions, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, 0.9))
