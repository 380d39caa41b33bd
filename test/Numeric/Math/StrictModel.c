// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations that say how they round and what they raise.
// ADZE: flags="-ffp-model=strict"
#include "check.h"
#include <math.h>

double strict(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    int k = (int)(x[i] * 3);
    s += (double)(float)x[i] * i + k * x[i] + (unsigned)n * sin(x[i]) +
         fabs(x[i]);
    s = fma(s, x[i], -x[0]) + sqrt(x[i] * x[i] + 1) + pow(x[i] * x[i], 1.5) +
        fmax(x[i], 0.1);
    s += floor(x[i]) * x[i] + rint(x[i]) * x[i] + (double)lround(x[i]) * x[i] +
         fmod(x[i], 0.7);
    s += x[i] <= 1 ? x[i] / (2 + x[i])
                   : -exp(-x[i]) + tanh(x[i]) - atan2(x[i], 2.0);
  }
  return s;
}
ADZE_TEST_ARRAY(strict, 3, ADZE_AT(0.6, -1.2, 2.2), .dot = 1e-7,
                .tolerance = 1e-6, .step = 0.03)
