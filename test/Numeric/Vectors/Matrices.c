// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's matrices, which are vectors of their columns.
// ADZE: flags="-fenable-matrix"
#include "check.h"

typedef double m33 __attribute__((matrix_type(3, 3)));
typedef double m32 __attribute__((matrix_type(3, 2)));
typedef double m23 __attribute__((matrix_type(2, 3)));

void product(const double *x, double *y) {
  m33 a = __builtin_matrix_column_major_load((double *)x, 3, 3, 3);
  m32 b = __builtin_matrix_column_major_load((double *)x + 9, 3, 2, 3);
  m23 t = __builtin_matrix_transpose(a * b);
  t = t * 2.0 + t;
  t[0][1] = t[0][1] * x[0];
  __builtin_matrix_column_major_store(t, y, 2);
}
ADZE_TEST_MAP(product, 15, 6,
              ADZE_AT(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1,
                      1.2, 1.3, 1.4, 1.5))

static m33 __attribute__((noinline)) multiply(m33 a, m33 b) { return a * b; }
double power(const double *x, int n) {
  m33 a = __builtin_matrix_column_major_load((double *)x, 3, 3, 3), p = a;
  double s = 0;
  for (int i = 0; i < 3; ++i)
    p = multiply(p, a);
  for (int i = 0; i < 3; ++i)
    s += p[i][i];
  return s / n;
}
ADZE_TEST_ARRAY(power, 9, ADZE_AT(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9))
