// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three loops, accumulation in memory.
// ADZE: vectorized
#include "check.h"

void multiply(const double *x, double *c) {
  const double *a = x, *b = x + 9;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      c[3 * i + j] = 0;
      for (int k = 0; k < 3; ++k)
        c[3 * i + j] += a[3 * i + k] * b[3 * k + j];
    }
}

static void J(const double *x, double *jac) {
  for (int i = 0; i < 9 * 18; ++i)
    jac[i] = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        double *row = jac + 18 * (3 * i + j);
        row[3 * i + k] = x[9 + 3 * k + j];
        row[9 + 3 * k + j] = x[3 * i + k];
      }
}
ADZE_TEST_MAP(multiply, 18, 9,
              ADZE_AT(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 0.1, 0.2, 0.3, 0.4, 0.5,
                      0.6, 0.7, 0.8, 0.9),
              .jacobian = J)
