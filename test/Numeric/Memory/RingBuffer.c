// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A window that overwrites its oldest element.
#include "check.h"

double filter(const double *x, int n) {
  double ring[3] = {0, 0, 0}, s = 0;
  for (int i = 0; i < n; ++i) {
    ring[i % 3] = x[i] * (1 + s);
    double w = ring[0] + ring[1] * 0.5 + ring[2] * 0.25;
    s += w * w * 0.1;
  }
  return s;
}

ADZE_TEST_ARRAY(filter, 8, ADZE_AT(0.9, 1.1, -0.7, 0.4, 0.6, -0.2, 0.3, 0.8))
