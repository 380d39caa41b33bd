// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running maximum and minimum by llvm.maxnum and llvm.minnum.
#include "check.h"

double extremes(const double *x, int n) {
  double hi = x[0], lo = x[0], s = 0;
  for (int i = 1; i < n; ++i) {
    hi = __builtin_fmax(hi, x[i] * x[i]);
    lo = __builtin_fmin(lo, x[i] * 0.5);
    s += hi * lo;
  }
  return s;
}

ADZE_TEST_ARRAY(extremes, 5, ADZE_AT(0.7, 1.5, -0.4, -1.9, 0.2))
