// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// restrict arguments, in a form that the vectorizer takes.
// ADZE: vectorized
#include "check.h"

static void axpy(int n, double a, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; ++i)
    y[i] += a * x[i];
}

void update(const double *x, double *y) {
  double t[16];
  for (int i = 0; i < 16; ++i)
    t[i] = x[i] * x[i];
  axpy(16, x[3], x, t);
  axpy(16, x[5] * t[2], x, t);
  for (int i = 0; i < 16; ++i)
    y[i] = t[i] * t[15 - i];
}

ADZE_TEST_MAP(update, 16, 16,
              ADZE_AT(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, -0.1, -0.2, -0.3, -0.4, -0.5,
                      -0.6, -0.7, -0.8))
