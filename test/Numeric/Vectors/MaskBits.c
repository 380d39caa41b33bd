// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Absolute values and sign flips of vectors through integer masks.
#include "check.h"
#include <stdint.h>

typedef double d4 __attribute__((ext_vector_type(4)));
typedef uint64_t u4 __attribute__((ext_vector_type(4)));

void work(const double *x, double *y) {
  d4 a = {x[0], x[1], x[2], x[3]};
  d4 b = (d4)((u4)a & 0x7fffffffffffffffu);
  d4 c = (d4)((u4)a ^ 0x8000000000000000u);
  d4 s = b * a.yzwx + c;
  for (int i = 0; i < 4; ++i)
    y[i] = s[i];
}

ADZE_TEST_MAP(work, 4, 4, ADZE_AT(0.75, 1.125, -0.5, -2.0))
