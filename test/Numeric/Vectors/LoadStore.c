// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector loads and stores on an array of scalars, aligned and not.
// ADZE: vectorized
#include "check.h"

typedef double d4u __attribute__((ext_vector_type(4), aligned(8)));

void work(const double *x, double *y) {
  d4u s = {0, 0, 0, 0};
  for (int i = 0; i + 4 <= 9; ++i) {
    d4u a = *(const d4u *)(x + i);
    s += a * a;
    *(d4u *)(y + i) = s * a;
  }
}

ADZE_TEST_MAP(work, 9, 9, ADZE_AT(0.75, 1.25, -0.5, -2.0, 0.25, 1.5, 0.1, 0.2, 0.3))
