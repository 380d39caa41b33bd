// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sqrt and pow of a square that underflows to zero: infinite or large, but not NaN, and not
// at all where the factor is zero.
#include "check.h"
#include <math.h>

double root(double x, double c) { return c * sqrt(x * x) + x; }
double power(double x, double c) { return c * pow(x * x, 0.5) + x; }

static const double one[] = {1, 0};
#if ADZE_REVERSE
struct two {
  double a, b;
};
ADZE_EXTERN struct two __enzyme_autodiff_under(void *, double, double);
ADZE_TEST_REVERSE(underflow) {
  struct two g = __enzyme_autodiff_under((void *)root, 1e-200, 0.0);
  adze_near("root, no share", g.a, one[0], 0);
  g = __enzyme_autodiff_under((void *)power, 1e-200, 0.0);
  adze_near("power, no share", g.a, one[0], 0);
  g = __enzyme_autodiff_under((void *)root, 1e-200, 1.0);
  adze_true("root is not NaN", !isnan(g.a));
  g = __enzyme_autodiff_under((void *)power, 1e-200, 1.0);
  adze_true("power is not NaN", !isnan(g.a));
}
#endif
#if ADZE_FORWARD
ADZE_EXTERN double __enzyme_fwddiff_under(void *, double, double, double, double);
ADZE_TEST_FORWARD(underflow) {
  double t = __enzyme_fwddiff_under((void *)root, 0.0, 1.0, 1.0, 0.0);
  adze_near("root at 0: the square has no tangent there", t, one[0], 0);
  t = __enzyme_fwddiff_under((void *)root, 1e-200, 1.0, 1.0, 0.0);
  adze_true("root is not NaN", !isnan(t));
  t = __enzyme_fwddiff_under((void *)power, 1e-200, 1.0, 1.0, 0.0);
  adze_true("power is not NaN", !isnan(t));
}
#endif
