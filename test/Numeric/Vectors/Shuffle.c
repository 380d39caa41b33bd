// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles with repeated, dropped and joined lanes, between different lengths.
#include "check.h"

typedef double d2 __attribute__((ext_vector_type(2)));
typedef double d4 __attribute__((ext_vector_type(4)));

void work(const double *x, double *y) {
  d4 a = {x[0], x[1], x[2], x[3]}, b = a * a;
  d4 c = __builtin_shufflevector(a, b, 0, 5, 2, 7);
  d4 e = __builtin_shufflevector(a, b, 4, 4, 1, -1);
  e.w = 2;
  d2 f = __builtin_shufflevector(c, e, 1, 6);
  d4 g = __builtin_shufflevector(f, f, 0, 1, 1, 0);
  c = c * e + g;
  for (int i = 0; i < 4; ++i)
    y[i] = c[i];
}

ADZE_TEST_MAP(work, 4, 4, ADZE_AT(0.75, 1.25, -0.5, -2.0))
