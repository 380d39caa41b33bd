// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight floats at once, with a horizontal sum by halves.
// ADZE: vectorized
#include "check.h"

typedef float f8 __attribute__((ext_vector_type(8)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f2 __attribute__((ext_vector_type(2)));

float sum(const float *x, int n) {
  f8 s = {0, 0, 0, 0, 0, 0, 0, 0};
  for (int i = 0; i < n; i += 8) {
    f8 a;
    __builtin_memcpy(&a, x + i, sizeof a);
    s += a * a * a;
  }
  f4 h = s.lo + s.hi;
  f2 q = h.lo * h.hi;
  return q.x + q.y;
}
static void twin(const long double *x, long double *y) {
  long double s[8] = {0};
  for (int i = 0; i < 16; ++i)
    s[i % 8] += x[i] * x[i] * x[i];
  *y = 0;
  for (int i = 0; i < 2; ++i)
    *y += (s[i] + s[i + 4]) * (s[i + 2] + s[i + 6]);
}
ADZE_TEST_ARRAY_T(float, sum, 16,
                  ADZE_AT(1.0, 0.5, 0.25, 0.75, 0.5, 0.6, 0.7, 0.8, 0.5, -0.5, 0.25, -0.25, 0.2,
                          0.3, 0.4, 0.5),
                  .twin = twin, .tolerance = 2e-5)
