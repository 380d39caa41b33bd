// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// enzyme_const arguments: scalars, pointers, and one that is overwritten.
#include "check.h"
#include <math.h>

double f(const double *x, const double *w, double *work, int n, double a) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * w[i] * a;
    work[i] = i;
  }
  return s * s;
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_const(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[2] = {0.5, 1.5}, w[2] = {2, 3}, dx[2] = {0, 0}, work[2] = {7, 7};
  __enzyme_autodiff_const((void *)f, enzyme_dup, x, dx, enzyme_const, w, enzyme_const, work,
                          enzyme_const, 2, enzyme_const, 4.0);
  double s = 4 * (1.0 + 4.5);
  adze_near("dx[0]", dx[0], 2 * s * 2 * 4, 1e-14);
  adze_near("dx[1]", dx[1], 2 * s * 3 * 4, 1e-14);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_const(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[2] = {0.5, 1.5}, w[2] = {2, 3}, dw[2] = {1, 10}, work[2] = {7, 7};
  double t = __enzyme_fwddiff_const((void *)f, enzyme_const, x, enzyme_dup, w, dw,
                                    enzyme_const, work, enzyme_const, 2, enzyme_const, 4.0);
  double s = 4 * (1.0 + 4.5);
  adze_near("tangent", t, 2 * s * 4 * (0.5 + 15), 1e-12);
  adze_near("the work array is written", work[1], 1, 0);
}
#endif
