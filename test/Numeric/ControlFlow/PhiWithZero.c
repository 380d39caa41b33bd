// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A phi or select whose other edge is the constant 0 is active.
// ADZE: vectorized
#include "check.h"

double relu(double x) { return x >= 0 ? x : 0; }
static double drelu(double x) { return x >= 0; }
ADZE_TEST_SCALAR1(relu, ADZE_AT(2.0, -2.0, 0.25), .derivative = drelu)

void layer(const double *x, double *y) {
  for (int i = 0; i < 4; ++i) {
    double s = 0;
    for (int j = 0; j < 4; ++j)
      s += x[j] * (i - j + 0.5);
    y[i] = s >= 0 ? s : 0;
  }
}
ADZE_TEST_MAP(layer, 4, 4, ADZE_AT(1.0, -2.0, 0.5, 0.75))

double late(double x) {
  double r = 0;
  if (x > 1)
    r = x * x;
  return r;
}
static double dlate(double x) { return x > 1 ? 2 * x : 0; }
ADZE_TEST_SCALAR1(late, ADZE_AT(3.0, 0.5), .derivative = dlate)
