// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of whole vectors between float, double and integers.
#include "check.h"

typedef double d4 __attribute__((ext_vector_type(4)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef int i4 __attribute__((ext_vector_type(4)));

void work(const double *x, double *y) {
  d4 a = {x[0], x[1], x[2], x[3]};
  f4 f = __builtin_convertvector(a, f4);
  i4 n = __builtin_convertvector(a * 4, i4);
  d4 b = __builtin_convertvector(f * f, d4) * __builtin_convertvector(n, d4);
  for (int i = 0; i < 4; ++i)
    y[i] = b[i];
}
static void d(const double *x, double *j) {
  for (int i = 0; i < 16; ++i)
    j[i] = 0;
  for (int i = 0; i < 4; ++i)
    j[5 * i] = 2 * x[i] * (int)(4 * x[i]);
}
ADZE_TEST_MAP(work, 4, 4, ADZE_AT(0.75, 1.125, -0.5, -2.0), .jacobian = d,
              .flags = ADZE_NO_DIFFERENCES, .exact = 1e-6, .dot = 1e-6)
