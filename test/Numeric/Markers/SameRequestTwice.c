// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One request from many places, and the same function in several requests.
#include "check.h"

static double f(const double *x, double a) { return x[0] * x[0] * a; }

#if ADZE_REVERSE
extern double __enzyme_autodiff_a(void *, ...);
static double once(double x, double a) {
  double dx = 0;
  return __enzyme_autodiff_a((void *)f, enzyme_dup, &x, &dx, enzyme_out, a) + dx;
}
static double again(double x, double a) {
  double dx = 0;
  return __enzyme_autodiff_a((void *)f, enzyme_dup, &x, &dx, enzyme_out, a) - dx;
}
extern void __enzyme_autodiff_b(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  adze_near("once", once(3, 2), 9 + 12, 0);
  adze_near("again", again(3, 2), 9 - 12, 0);
  double x = 3, dx = 0;
  __enzyme_autodiff_b((void *)f, enzyme_dup, &x, &dx, enzyme_const, 2.0);
  adze_near("dx", dx, 12, 0);
  adze_near("da", __enzyme_autodiff_a((void *)f, enzyme_const, &x, enzyme_out, 2.0), 9, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_a(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x = 3, dx = 1;
  adze_near("dx", __enzyme_fwddiff_a((void *)f, enzyme_dup, &x, &dx, enzyme_const, 2.0), 12,
            0);
  adze_near("da", __enzyme_fwddiff_a((void *)f, enzyme_const, &x, enzyme_dup, 2.0, 1.0), 9,
            0);
  adze_near("both", __enzyme_fwddiff_a((void *)f, enzyme_dup, &x, &dx, enzyme_dup, 2.0, 1.0),
            21, 0);
}
#endif
