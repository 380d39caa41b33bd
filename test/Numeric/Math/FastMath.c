// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same functions under -ffast-math.
// ADZE: vectorized flags=-ffast-math
#include "check.h"
#include <math.h>

double fast(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += sin(x[i]) * exp(-x[i] * x[i]) / (1 + x[i] * x[i]) + sqrt(1 + x[i] * x[i]) + pow(x[i], 4);
  return s * fabs(s) + fmax(s, x[0]);
}

ADZE_TEST_ARRAY(fast, 5, ADZE_AT(0.5, -2.0, 1.5, 0.3, 0.8))
