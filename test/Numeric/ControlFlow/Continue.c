// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// continue skips active statements on some rounds.
#include "check.h"

double skip(const double *x, int n) {
  double s = 0, t = 1;
  for (int i = 0; i < n; ++i) {
    t += x[i];
    if (x[i] < 0)
      continue;
    s += t * x[i];
    if (s > 2)
      continue;
    t *= s;
  }
  return s + t;
}

ADZE_TEST_ARRAY(skip, 6, ADZE_AT(0.5, -0.2, 0.6, 1.5, -1.0, 0.8))
