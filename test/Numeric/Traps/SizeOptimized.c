// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same program at -Os, whatever the level that is asked for.
// ADZE: levels=O1,O2 flags="-Os"
#include "check.h"
#include <math.h>

double small(const double *x, int n) {
  double a[4], s = 0;
  for (int i = 0; i < 4; ++i)
    a[i] = exp(-x[i % n] * x[i % n]);
  for (int t = 0; t < 3; ++t)
    for (int i = 1; i < 4; ++i) {
      a[i] = a[i] * a[i - 1] + x[0];
      s += a[i] > 0.5 ? a[i] : a[i] * a[i];
    }
  return s;
}

ADZE_TEST_ARRAY(small, 3, ADZE_AT(0.9, 0.8, -0.7))
