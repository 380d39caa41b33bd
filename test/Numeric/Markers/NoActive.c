// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing depends on anything: gradients of constants and of inactive functions are zero.
#include "check.h"

double constant(double x) {
  (void)x;
  return 5;
}
double signedCount(const double *x, int n) { return x[0] > 0 ? n : -n; }
void nothing(const double *x, double *y) { (void)x, (void)y; }

#if ADZE_REVERSE
extern double __enzyme_autodiff_c(void *, double);
extern void __enzyme_autodiff_v(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  adze_near("constant", __enzyme_autodiff_c((void *)constant, 2.0), 0, 0);
  double x = 2, dx = 0, y = 3, dy = 4;
  __enzyme_autodiff_v((void *)signedCount, enzyme_dup, &x, &dx, enzyme_const, 3);
  adze_near("index", dx, 0, 0);
  __enzyme_autodiff_v((void *)nothing, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy);
  adze_near("dx", dx, 0, 0);
  adze_near("an adjoint that nobody overwrites stays", dy, 4, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_c(void *, double, double);
extern double __enzyme_fwddiff_i(void *, ...);
ADZE_TEST_FORWARD(forward) {
  adze_near("constant", __enzyme_fwddiff_c((void *)constant, 2.0, 1.0), 0, 0);
  double x = 2, dx = 1;
  adze_near("index",
            __enzyme_fwddiff_i((void *)signedCount, enzyme_dup, &x, &dx, enzyme_const, 3), 0, 0);
}
#endif
