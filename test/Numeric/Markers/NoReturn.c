// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// enzyme_noret: the return value is not differentiated, only what went to memory.
#include "check.h"

double f(const double *x, double *y) {
  *y = x[0] * x[1];
  return x[0] * x[0] * 1000;
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_noret(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[2] = {2, 3}, dx[2] = {0, 0}, y, dy = 1;
  __enzyme_autodiff_noret((void *)f, enzyme_noret, enzyme_dup, x, dx, enzyme_dup, &y, &dy);
  adze_near("dx[0]", dx[0], 3, 0);
  adze_near("dx[1]", dx[1], 2, 0);
}
#endif
#if ADZE_FORWARD
extern void __enzyme_fwddiff_noret(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[2] = {2, 3}, dx[2] = {1, 0}, y, dy = 7;
  __enzyme_fwddiff_noret((void *)f, enzyme_noret, enzyme_dup, x, dx, enzyme_dup, &y, &dy);
  adze_near("dy", dy, 3, 0);
  adze_near("y", y, 6, 0);
}
#endif
