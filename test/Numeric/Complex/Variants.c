// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex arithmetic of float and of long double.
#include "check.h"
#include <complex.h>

#define BODY(T)                                                                          \
  T _Complex a = x[0] + x[1] * (T _Complex)I, b = a * a + (T)2;                          \
  a = a / b * x[0];                                                                      \
  y[0] = __real__ a;                                                                     \
  y[1] = __imag__ a;

static void twin(const long double *x, long double *y) { BODY(long double) }
void workf(const float *x, float *y) { BODY(float) }
ADZE_TEST_MAP_T(float, workf, 2, 2, ADZE_AT(0.75, 1.125), .twin = twin, .tolerance = 5e-5)
void workl(const ldouble *x, ldouble *y) { BODY(long double) }
ADZE_TEST_MAP_T(ldouble, workl, 2, 2, ADZE_AT(0.75, 1.125))
