// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex sums, products and quotients, by value and in arrays.
// ADZE: vectorized
#include "check.h"
#include <complex.h>

void work(const double *x, double *y) {
  double complex a = x[0] + x[1] * I, b = x[2] + x[3] * I;
  double complex c[2] = {a * b + 2.0 * a, a / b - b * I};
  c[0] *= conj(c[1]);
  y[0] = creal(c[0]);
  y[1] = cimag(c[0]);
  y[2] = creal(c[1]);
  y[3] = cimag(c[1]);
}

ADZE_TEST_MAP(work, 4, 4, ADZE_AT(0.75, 1.125, -0.5, -2.0))
