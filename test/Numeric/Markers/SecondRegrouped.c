// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second derivatives where an adjoint or tangent of the first is exactly zero,
// and products may be regrouped: a guarded product is still known for one.
// ADZE: modes=forward
// ADZE: flags="-ffast-math -fhonor-nans -fhonor-infinities"
#include "check.h"
#include <math.h>

// q(x) = c x^2 y, c = (0.7 y^4 exp(2 y) / (1.5 + cos(y)))^2
double f(double x, double y) {
  double a = x * 0.7;
  double b = (a * y) * (y * exp(y));
  double c = b * y;
  double d = c * y / (1.5 + cos(y));
  double e = d * exp(y);
  return e * e * y;
}

#if ADZE_FORWARD
struct Two {
  double x, y;
};
extern struct Two __enzyme_autodiff_inner(void *, ...);
extern double __enzyme_fwddiff_inner(void *, ...);
extern struct Two __enzyme_autodiff_outer(void *, ...);
extern double __enzyme_fwddiff_outer(void *, ...);

double byReverse(double x, double y) {
  return __enzyme_autodiff_inner((void *)f, enzyme_out, x, enzyme_out, y).x;
}
double byForward(double x, double y) {
  return __enzyme_fwddiff_inner((void *)f, enzyme_dup, x, 1.0, enzyme_dup, y,
                                0.0);
}

ADZE_TEST_FORWARD(second) {
  double x = 0, y = 1.3;
  double root = 0.7 * y * y * y * y * exp(2 * y) / (1.5 + cos(y));
  double want = 2 * root * root * y;
  adze_near("forward over reverse",
            __enzyme_fwddiff_outer((void *)byReverse, enzyme_dup, x, 1.0,
                                   enzyme_dup, y, 0.0),
            want, 1e-12);
  adze_near("forward over forward",
            __enzyme_fwddiff_outer((void *)byForward, enzyme_dup, x, 1.0,
                                   enzyme_dup, y, 0.0),
            want, 1e-12);
  adze_near(
      "reverse over reverse",
      __enzyme_autodiff_outer((void *)byReverse, enzyme_out, x, enzyme_out, y)
          .x,
      want, 1e-12);
  adze_near(
      "reverse over forward",
      __enzyme_autodiff_outer((void *)byForward, enzyme_out, x, enzyme_out, y)
          .x,
      want, 1e-12);
}
#endif
