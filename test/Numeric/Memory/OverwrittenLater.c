// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a derivative needs is overwritten after its use, in several ways.
#include "check.h"

void later(const double *x, double *y) {
  double t[3];
  for (int i = 0; i < 3; ++i)
    t[i] = x[i] * x[i];
  double p = t[0] * t[1] * t[2];
  t[0] = 5;
  t[1] = t[2] * p;
  double q = t[1] * t[0];
  for (int i = 0; i < 3; ++i) {
    y[i] = t[i] * q;
    t[i] = y[i] * t[(i + 1) % 3];
    y[i] += t[i];
  }
}

ADZE_TEST_MAP(later, 3, 3, ADZE_AT(0.9, 1.1, -0.8))
