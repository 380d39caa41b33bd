// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local array indexed by constants, then at run time.
#include "check.h"

void local(const double *x, double *y) {
  double a[4] = {x[0], x[1] * x[0], 2, x[2]};
  for (int i = 0; i < 3; ++i)
    a[i + 1] += a[i] * x[i];
  for (int i = 0; i < 4; ++i)
    y[i] = a[3 - i] * a[(i * 3) % 4];
}

ADZE_TEST_MAP(local, 3, 4, ADZE_AT(0.7, -1.2, 0.9))
