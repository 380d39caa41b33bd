// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs are read again after they were written, and written twice.
#include "check.h"

void back(const double *x, double *y) {
  y[0] = x[0] * x[1];
  y[1] = y[0] * x[1];
  y[0] = y[1] * y[0] + x[2];
  y[2] = 0;
  for (int i = 0; i < 3; ++i)
    y[2] += y[i] * x[i];
}

ADZE_TEST_MAP(back, 3, 3, ADZE_AT(0.9, -1.1, 0.8))
