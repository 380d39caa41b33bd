// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An adjoint of exactly zero stays zero through a partial that is infinite or
// NaN.
#include "check.h"
#include <math.h>

// With c = 0 the root's value does not matter, nor does its infinite slope at
// 0.
double scaled(double x, double c) { return c * sqrt(x) + x; }
static void d(const double *x, double *j) {
  j[0] = x[1] == 0 ? 1 : 1 + x[1] * 0.5 / sqrt(x[0]);
  j[1] = sqrt(x[0]);
}
ADZE_TEST_SCALAR2(scaled, ADZE_AT(4.0, 3.0), .jacobian = d)

#if ADZE_REVERSE
struct two {
  double a, b;
};
ADZE_EXTERN struct two __enzyme_autodiff_zero(void *, double, double);
ADZE_TEST_REVERSE(noShare) {
  struct two g = __enzyme_autodiff_zero((void *)scaled, 0.0, 0.0);
  adze_near("d/dx", g.a, 1, 0);
  adze_near("d/dc", g.b, 0, 0);
}
#endif

void unused(const double *x, double *y) {
  double r = sqrt(x[0]);
  double l = log(x[0]);
  y[0] = x[1] > 0 ? x[1] * x[1] : r + l;
}
static const double four[] = {0, 4};
ADZE_TEST_MAP(unused, 2, 1, ADZE_AT(0.0, 2.0), .expected = four,
              .flags = ADZE_NO_DIFFERENCES)

double maskedRoot(double x) { return x > 0 ? sqrt(x) : 0; }
static const double zero[] = {0};
ADZE_TEST_SCALAR1(maskedRoot, ADZE_AT(0.0), .expected = zero,
                  .flags = ADZE_NO_DIFFERENCES)

#if !__FINITE_MATH_ONLY__
// An exponential overflows, and the result is good all the same.
double clipped(double x) { return fmin(exp(x), 5); }
ADZE_TEST_SCALAR1(clipped, ADZE_AT(800.0), .expected = zero, .flags = ADZE_NO_DIFFERENCES)
#endif

// Products that are computed ahead of a condition which the loop does not
// change, or of one on another way through the loop.
double ahead(const double *x, int n) {
  double s = 0, ratio = x[0] / x[1];
  for (int i = 2; i < n; ++i) {
    if (x[1] > 0)
      s += x[i] * ratio * ratio;
    else if (x[i] > 0)
      s += x[i] * x[0];
  }
  return s;
}
static void dAhead(const double *x, double *j) {
  for (int i = 0; i < 4; ++i)
    j[i] = 0;
  for (int i = 2; i < 4; ++i)
    if (x[i] > 0)
      j[0] += x[i], j[i] += x[0];
}
ADZE_TEST_ARRAY(ahead, 4, ADZE_AT(2.0, 0.0, 3.0, -1.0), .jacobian = dAhead,
                .flags = ADZE_NO_DIFFERENCES)
