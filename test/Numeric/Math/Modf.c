// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// modf: the fraction is active, the whole part goes through a pointer and is constant.
#include "check.h"
#include <math.h>

void parts(const double *x, double *y) {
  double whole = 99;
  double f = modf(x[0] * x[1], &whole);
  y[0] = f * f;
  y[1] = whole * x[0];
}
static void d(const double *x, double *j) {
  double w, f = modf(x[0] * x[1], &w);
  j[0] = 2 * f * x[1];
  j[1] = 2 * f * x[0];
  j[2] = w;
  j[3] = 0;
}
ADZE_TEST_MAP(parts, 2, 2, ADZE_AT(7.3, 2.5, -0.1, 13.0), .jacobian = d)

float partsf(float x) {
  float w, f = modff(x, &w);
  return f * f + w * x;
}
ldouble partsl(ldouble x) {
  ldouble w, f = modfl(x, &w);
  return f * f + w * x;
}
static double dparts(double x) {
  double w, f = modf(x, &w);
  return 2 * f + w;
}
ADZE_TEST_SCALAR1_T(float, partsf, ADZE_AT(7.25, -0.375), .derivative = dparts)
ADZE_TEST_SCALAR1_T(ldouble, partsl, ADZE_AT(7.25, -0.375), .derivative = dparts)
