// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// float and double and long double in one expression; conversions in both directions.
#include "check.h"
#include <math.h>

static float narrow(double x) { return (float)x * 2.0f; }
static long double wide(float x) { return (long double)x * x; }

void work(const double *x, double *y) {
  float f = (float)x[0];
  long double l = wide(f) * x[1];
  y[0] = (double)l + narrow(x[1]);
  y[1] = f * x[0] + sqrtf(f);
}
static void d(const double *x, double *j) {
  j[0] = 2 * x[0] * x[1];
  j[1] = x[0] * x[0] + 2;
  j[2] = 2 * x[0] + 0.5 / sqrt(x[0]);
  j[3] = 0;
}
ADZE_TEST_MAP(work, 2, 2, ADZE_AT(0.75, 1.25, 2.0, -0.5), .jacobian = d,
              .flags = ADZE_NO_DIFFERENCES, .exact = 2e-6, .dot = 2e-6)
