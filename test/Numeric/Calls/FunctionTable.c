// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions chosen at run time: from a constant table, by a condition, from a table that is filled.
#include "check.h"
#include <math.h>

static double square(double x) { return x * x; }
static double inverse(double x) { return 1 / x; }
static double keep(double x) { return 3 * x; }

static double (*const constant[])(double) = {square, inverse, sin, keep};
static double (*filled[2])(double);

__attribute__((noinline)) static void fill(double (*f)(double), double (*g)(double)) {
  filled[0] = f;
  filled[1] = g;
}

void table(const double *x, double *y) {
  fill(inverse, square);
  for (int i = 0; i < 4; ++i) {
    y[i] = constant[(i + (x[0] > 1)) & 3](x[i & 1]) * x[2];
    double (*chosen)(double) = x[i % 3] > 0.8 ? square : keep;
    y[i] += chosen(y[i]) + filled[i & 1](x[1]);
  }
}

ADZE_TEST_MAP(table, 3, 4, ADZE_AT(0.9, 1.3, -0.5, 1.7, 0.4, 0.6))
