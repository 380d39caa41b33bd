// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Some outputs are written on one path only: the adjoint of the others stays.
#include "check.h"

void partial(const double *x, double *y) {
  if (x[0] > 0)
    y[0] = x[0] * x[1];
  y[1] = x[1] * x[1];
}

ADZE_TEST_MAP(partial, 2, 2, ADZE_AT(0.9, -1.1, -0.5, 2.0), .flags = ADZE_PARTIAL_Y)
