// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second derivatives where an adjoint or tangent of the first is exactly zero,
// but not beside: the guard that keeps zero at zero (0 * inf = 0) is part of a
// product, and no branch of the program. At an infinite partial it still keeps.
// ADZE: modes=forward
#include "check.h"
#include <math.h>

double f(double x, double y) {
  double p = x * y;
  double q = p * p; // dq/dp = 0 at x = 0
  return q * cos(y) + q * p;
}

// Of a square root at 0 nothing is used.
double dead(double x, double y) {
  double root = sqrt(x);
  return y > 0 ? x * y * y : root;
}

#if ADZE_FORWARD
struct Two {
  double x, y;
};
extern struct Two __enzyme_autodiff_inner(void *, ...);
extern double __enzyme_fwddiff_inner(void *, ...);
extern struct Two __enzyme_autodiff_outer(void *, ...);
extern double __enzyme_fwddiff_outer(void *, ...);
extern double __enzyme_fwddiff_third(void *, ...);

double byReverse(double x, double y) {
  return __enzyme_autodiff_inner((void *)f, enzyme_out, x, enzyme_out, y).x;
}
double byForward(double x, double y) {
  return __enzyme_fwddiff_inner((void *)f, enzyme_dup, x, 1.0, enzyme_dup, y,
                                0.0);
}
double deadByReverse(double x, double y) {
  return __enzyme_autodiff_inner((void *)dead, enzyme_out, x, enzyme_out, y).x;
}
double forwardOverReverse(double x, double y) {
  return __enzyme_fwddiff_outer((void *)byReverse, enzyme_dup, x, 1.0,
                                enzyme_dup, y, 0.0);
}
double reverseOverForward(double x, double y) {
  return __enzyme_autodiff_outer((void *)byForward, enzyme_out, x, enzyme_out,
                                 y)
      .x;
}

ADZE_TEST_FORWARD(second) {
  double x = 0, y = 3, xx = 2 * y * y * cos(y), xxx = 6 * y * y * y;
  adze_near("forward over reverse", forwardOverReverse(x, y), xx, 1e-13);
  adze_near("forward over forward",
            __enzyme_fwddiff_outer((void *)byForward, enzyme_dup, x, 1.0,
                                   enzyme_dup, y, 0.0),
            xx, 1e-13);
  adze_near("reverse over forward", reverseOverForward(x, y), xx, 1e-13);
  adze_near(
      "reverse over reverse",
      __enzyme_autodiff_outer((void *)byReverse, enzyme_out, x, enzyme_out, y)
          .x,
      xx, 1e-13);
  adze_near("forward over forward over reverse",
            __enzyme_fwddiff_third((void *)forwardOverReverse, enzyme_dup, x,
                                   1.0, enzyme_dup, y, 0.0),
            xxx, 1e-13);
}

ADZE_TEST_FORWARD(infinite) {
  struct Two g = __enzyme_autodiff_outer((void *)deadByReverse, enzyme_out, 0.0,
                                         enzyme_out, 3.0);
  adze_near("by x", g.x, 0, 1e-13);
  adze_near("by y", g.y, 6, 1e-13);
  adze_near("along both",
            __enzyme_fwddiff_outer((void *)deadByReverse, enzyme_dup, 0.0, 1.0,
                                   enzyme_dup, 3.0, 1.0),
            6, 1e-13);
}
#endif
