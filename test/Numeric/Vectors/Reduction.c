// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that the vectorizer turns into reductions: sum, product, minimum, maximum.
// ADZE: vectorized flags=-ffast-math
#include "check.h"
#include <math.h>

void reduce(const double *x, double *y) {
  double s = 0, p = 1, lo = x[0], hi = x[0], dot = 0;
  for (int i = 0; i < 32; ++i) {
    s += x[i] * x[i];
    dot += x[i] * x[31 - i];
    p *= 1 + 0.1 * x[i];
    lo = x[i] < lo ? x[i] : lo;
    hi = fmax(hi, x[i]);
  }
  y[0] = s;
  y[1] = p;
  y[2] = lo;
  y[3] = hi;
  y[4] = dot;
}

ADZE_TEST_MAP(reduce, 32, 5,
              ADZE_AT(0.01, 0.12, -0.23, 0.34, -0.45, 0.56, 0.67, -0.78, 0.89, 0.9, 0.11, -0.2,
                      0.13, 0.14, -0.15, 0.16, 0.17, 0.18, 0.19, -0.91, 0.21, 0.22, -0.24,
                      0.25, 0.26, 0.27, 0.95, -0.28, 0.29, 0.3, 0.31, 0.32),
              .exact = 1e-10)
