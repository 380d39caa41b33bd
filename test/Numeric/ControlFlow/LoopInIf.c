// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop inside one arm only, and a loop after the join that reads its result.
#include "check.h"
#include <math.h>

double lopsided(const double *x, int n) {
  double s = x[0];
  if (x[1] > 0) {
    for (int i = 0; i < n; ++i)
      s = cos(s) * x[i];
    s += 1;
  }
  for (int i = 0; i < n; ++i)
    s += s * x[i] * 0.25;
  return s;
}

ADZE_TEST_ARRAY(lopsided, 3, ADZE_AT(0.7, 0.9, -0.4, 0.7, -0.9, -0.4))
