// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// enzyme_dupnoneed: the primal output need not be there, its adjoint is used all the same.
#include "check.h"

void f(const double *x, double *y) {
  y[0] = x[0] * x[1];
  y[0] = y[0] * y[0];
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_noneed(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[2] = {2, 3}, dx[2] = {0, 0}, y = 7, dy = 1;
  __enzyme_autodiff_noneed((void *)f, enzyme_dup, x, dx, enzyme_dupnoneed, &y, &dy);
  adze_near("dx[0]", dx[0], 2 * 6 * 3, 0);
  adze_near("dx[1]", dx[1], 2 * 6 * 2, 0);
  adze_near("dy", dy, 0, 0);
}
#endif
#if ADZE_FORWARD
extern void __enzyme_fwddiff_noneed(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[2] = {2, 3}, dx[2] = {1, 0}, y = 7, dy = 99;
  __enzyme_fwddiff_noneed((void *)f, enzyme_dup, x, dx, enzyme_dupnoneed, &y, &dy);
  adze_near("dy", dy, 2 * 6 * 3, 0);
}
#endif
