// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of double as a language type: arithmetic, scalar operands, negation, division.
#include "check.h"

typedef double d4 __attribute__((ext_vector_type(4)));

void work(const double *x, double *y) {
  d4 a = {x[0], x[1], x[2], x[3]};
  d4 b = a * a - 2.0 * a + 1.0 / (a * a + 1.0);
  b = -b * a.wzyx;
  b.xy += a.zw;
  for (int i = 0; i < 4; ++i)
    y[i] = b[i];
}

ADZE_TEST_MAP(work, 4, 4, ADZE_AT(0.75, 1.25, -0.5, -2.0))
