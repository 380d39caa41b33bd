// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Halves only as storage: loads extend, stores truncate.
// ADZE: skip-unless=type:_Float16
#include "check.h"

void layer(const float16 *x, float16 *y) {
  for (int i = 0; i < 4; ++i) {
    float s = 0;
    for (int j = 0; j < 4; ++j)
      s += (float)x[j] * (0.25f * (float)(i + j));
    y[i] = (float16)(s > 0 ? s : 0.125f * s);
  }
}
static void d(const double *x, double *j) {
  for (int i = 0; i < 4; ++i) {
    double s = 0;
    for (int k = 0; k < 4; ++k)
      s += x[k] * 0.25 * (i + k);
    for (int k = 0; k < 4; ++k)
      j[4 * i + k] = (s > 0 ? 1 : 0.125) * 0.25 * (i + k);
  }
}
ADZE_TEST_MAP_T(float16, layer, 4, 4, ADZE_AT(0.75, 1.25, -0.5, -2.0), .jacobian = d)
