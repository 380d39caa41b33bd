// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program in float throughout.
// ADZE: vectorized
#include "check.h"
#include <math.h>

#define BODY(T, SIN)                                                                     \
  T s = 0, p = 1;                                                                        \
  for (int i = 0; i < 6; ++i) {                                                          \
    p = p * (T)0.5 + x[i];                                                               \
    s += SIN(p) * x[5 - i];                                                              \
  }                                                                                      \
  y[0] = s;                                                                              \
  y[1] = s * p;

void work(const float *x, float *y) { BODY(float, sinf) }
static void twin(const long double *x, long double *y) { BODY(long double, sinl) }
ADZE_TEST_MAP_T(float, work, 6, 2, ADZE_AT(0.75, 1.25, -0.5, 0.25, 0.5, -1.0),
                .twin = twin, .tolerance = 2e-5)
