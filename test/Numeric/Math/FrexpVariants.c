// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// frexpf and frexpl.
#include "check.h"
#include <math.h>

float partsf(float x) {
  int e;
  float m = frexpf(x, &e);
  return m * m + e * x;
}
ldouble partsl(ldouble x) {
  int e;
  ldouble m = frexpl(x, &e);
  return m * m + e * x;
}
static double d(double x) {
  int e;
  double m = frexp(x, &e);
  return 2 * m * ldexp(1, -e) + e;
}
ADZE_TEST_SCALAR1_T(float, partsf, ADZE_AT(7.25, -0.375), .derivative = d)
ADZE_TEST_SCALAR1_T(ldouble, partsl, ADZE_AT(7.25, -0.375), .derivative = d)
