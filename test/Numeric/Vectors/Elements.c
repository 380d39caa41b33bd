// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements inserted and extracted at indices known at run time.
#include "check.h"

typedef double d4 __attribute__((ext_vector_type(4)));

void work(const double *x, double *y) {
  d4 a = {1, 2, 3, 4};
  for (int i = 0; i < 6; ++i)
    a[i % 4] = x[i % 3] * a[(i + 1) % 4];
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    s += a[i] * a[3 - i];
    y[i] = s;
  }
}

ADZE_TEST_MAP(work, 3, 4, ADZE_AT(0.75, 1.25, -0.5))
