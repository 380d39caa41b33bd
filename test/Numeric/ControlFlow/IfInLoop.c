// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An if in a loop: without it nothing must be kept, with it the condition's value must.
// ADZE: vectorized
#include "check.h"

double plain(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
double guarded(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double t = x[i] * x[i];
    if (s + t < 1)
      s += t * x[i];
    else
      s = s * t;
  }
  return s;
}

ADZE_TEST_ARRAY(plain, 5, ADZE_AT(0.5, -0.6, 0.7, 0.8, -0.9))
ADZE_TEST_ARRAY(guarded, 5, ADZE_AT(0.5, -0.6, 0.7, 0.8, -0.9, 1.1, 1.2, 0.1, 0.4, 1.3))
