// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Float inputs, a double accumulator, a float result: a dot product as BLAS dsdot does it.
// ADZE: vectorized
#include "check.h"

float dsdot(const float *x, int n) {
  double s = 0;
  for (int i = 0; i < n / 2; ++i)
    s += (double)x[i] * x[n / 2 + i];
  return (float)s;
}
static void d(const double *x, double *j) {
  for (int i = 0; i < 8; ++i) {
    j[i] = x[8 + i];
    j[8 + i] = x[i];
  }
}
ADZE_TEST_ARRAY_T(float, dsdot, 16,
                  ADZE_AT(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 0.5, -0.5, 0.25, -0.25, 2.0,
                          3.0, 4.0, 5.0),
                  .jacobian = d)
