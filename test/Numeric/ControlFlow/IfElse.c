// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both arms compute from different inputs.
#include "check.h"

void either(const double *x, double *y) {
  double a;
  if (x[0] * x[1] > 1)
    a = x[0] - 2 * x[1];
  else
    a = x[0] * x[1] * x[1];
  *y = a * a + x[0];
}

ADZE_TEST_MAP(either, 2, 1, ADZE_AT(2.0, 1.5, 0.5, -1.0))
