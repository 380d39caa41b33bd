// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Zeroing the whole array against zeroing each element.
// ADZE: vectorized
#include "check.h"
#include <string.h>

void whole(const double *x, double *y) {
  double a[4];
  double s = 1;
  for (int t = 0; t < 3; ++t) {
    memset(a, 0, sizeof a);
    for (int i = 0; i < 8; ++i)
      a[i % 4] += x[i % 4] * s;
    for (int i = 0; i < 4; ++i)
      s += a[i] * a[i] * 0.1;
  }
  for (int i = 0; i < 4; ++i)
    y[i] = a[i] * s;
}
void each(const double *x, double *y) {
  double a[4];
  double s = 1;
  for (int t = 0; t < 3; ++t) {
    for (int i = 0; i < 4; ++i)
      a[i] = 0;
    for (int i = 0; i < 8; ++i)
      a[i % 4] += x[i % 4] * s;
    for (int i = 0; i < 4; ++i)
      s += a[i] * a[i] * 0.1;
  }
  for (int i = 0; i < 4; ++i)
    y[i] = a[i] * s;
}

ADZE_TEST_MAP(whole, 4, 4, ADZE_AT(0.3, 0.2, -0.4, 0.5))
ADZE_TEST_MAP(each, 4, 4, ADZE_AT(0.3, 0.2, -0.4, 0.5))
