// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __float128 arithmetic.
// ADZE: skip-unless=type:__float128
#include "check.h"

void work(const float128 *x, float128 *y) {
  float128 s = 1;
  for (int i = 0; i < 3; ++i) {
    s = s * x[i] + x[(i + 1) % 3] / 3;
    if (s < 0)
      s = -s * x[0];
  }
  y[0] = s;
  y[1] = s * s - x[0];
}
static void twin(const long double *x, long double *y) {
  long double s = 1;
  for (int i = 0; i < 3; ++i) {
    s = s * x[i] + x[(i + 1) % 3] / 3;
    if (s < 0)
      s = -s * x[0];
  }
  y[0] = s;
  y[1] = s * s - x[0];
}
ADZE_TEST_MAP_T(float128, work, 3, 2, ADZE_AT(0.75, 1.25, -0.5), .twin = twin)
