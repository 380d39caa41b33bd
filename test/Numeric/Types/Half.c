// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// _Float16: computed by way of float on this machine.
// ADZE: vectorized skip-unless=type:_Float16
#include "check.h"

void work(const float16 *x, float16 *y) {
  float16 s = (float16)1;
  for (int i = 0; i < 3; ++i)
    s = s * x[i] + x[(i + 1) % 3];
  y[0] = s;
  y[1] = s * s - x[0];
}
static void twin(const long double *x, long double *y) {
  long double s = 1;
  for (int i = 0; i < 3; ++i)
    s = s * x[i] + x[(i + 1) % 3];
  y[0] = s;
  y[1] = s * s - x[0];
}
ADZE_TEST_MAP_T(float16, work, 3, 2, ADZE_AT(0.75, 1.25, -0.5), .twin = twin,
                .tolerance = 1e-2)

float16 scalar(float16 x) { return x * x / (float16)2 - (float16)3 / x; }
static double d(double x) { return x + 3 / (x * x); }
ADZE_TEST_SCALAR1_T(float16, scalar, ADZE_AT(0.75, -2.0), .derivative = d)
