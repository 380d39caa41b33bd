// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element-wise loops with branches, calls and strides, as the vectorizers leave them.
// ADZE: vectorized flags="-march=x86-64-v3" skip-unless=cpu:avx2
#include "check.h"
#include <math.h>

void work(const double *x, double *y) {
  double t[24];
  for (int i = 0; i < 24; ++i)
    t[i] = x[i] > 0 ? x[i] * x[i] : 0.5 * x[i];
  for (int i = 0; i < 24; ++i)
    y[i] = sqrt(t[i] * t[i] + 1) + fabs(x[i]);
  for (int i = 0; i < 12; ++i) {
    y[2 * i] += t[i] * 2;
    y[2 * i + 1] -= t[2 * i] * t[2 * i + 1];
  }
}

ADZE_TEST_MAP(work, 24, 24,
              ADZE_AT(0.01, 0.12, -0.23, 0.34, -0.45, 0.56, 0.67, -0.78, 0.89, 0.9, 0.11, -0.2,
                      0.13, 0.14, -0.15, 0.16, 0.17, 0.18, 0.19, -0.91, 0.21, 0.22, -0.24,
                      0.25))
