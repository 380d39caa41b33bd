// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparison and selection per lane.
#include "check.h"

typedef double d4 __attribute__((ext_vector_type(4)));

void work(const double *x, double *y) {
  d4 a = {x[0], x[1], x[2], x[3]}, b = a.yzwx;
  d4 c = a < b ? a * b : a - b;
  c = c > 0.5 ? c * c : c;
  for (int i = 0; i < 4; ++i)
    y[i] = c[i];
}

ADZE_TEST_MAP(work, 4, 4, ADZE_AT(0.75, 1.25, -0.5, -2.0))
