// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Active values that pass through a scratch buffer the caller marked const: an error or the
// right gradient, never 0.
// ADZE: may-refuse
#include "check.h"

void f(const double *x, double *scratch, double *y) {
  for (int i = 0; i < 3; ++i)
    scratch[i] = x[i] * x[i];
  *y = scratch[0] * scratch[1] + scratch[2];
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_s(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[3] = {2, 3, 5}, dx[3] = {0, 0, 0}, s[3], y, dy = 1;
  __enzyme_autodiff_s((void *)f, enzyme_dup, x, dx, enzyme_const, s, enzyme_dup, &y, &dy);
  adze_near("dx0", dx[0], 36, 0);
  adze_near("dx1", dx[1], 24, 0);
  adze_near("dx2", dx[2], 10, 0);
}
#endif
#if ADZE_FORWARD
extern void __enzyme_fwddiff_s(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[3] = {2, 3, 5}, dx[3] = {1, 0, 1}, s[3], y, dy = 7;
  __enzyme_fwddiff_s((void *)f, enzyme_dup, x, dx, enzyme_const, s, enzyme_dup, &y, &dy);
  adze_near("dy", dy, 46, 0);
}
#endif
