// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers and scalars together: shadows are added to, scalars come back.
#include "check.h"

double f(const double *x, double a, double *y) {
  y[0] = x[0] * a;
  y[1] = x[1] * a * a;
  return x[0] * x[1];
}

#if ADZE_REVERSE
extern double __enzyme_autodiff_mixed(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[2] = {2, 3}, dx[2] = {0, 0}, y[2], dy[2] = {10, 100};
  double da = __enzyme_autodiff_mixed((void *)f, enzyme_dup, x, dx, enzyme_out, 5.0,
                                      enzyme_dup, y, dy);
  adze_near("da", da, 10 * 2 + 100 * 3 * 2 * 5, 0);
  adze_near("dx[0]", dx[0], 3 + 10 * 5, 0);
  adze_near("dx[1]", dx[1], 2 + 100 * 25, 0);
  adze_near("dy[0]", dy[0], 0, 0);
  adze_near("dy[1]", dy[1], 0, 0);
  adze_near("y[1]", y[1], 75, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_mixed(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[2] = {2, 3}, dx[2] = {1, 0}, y[2], dy[2] = {9, 9};
  double t = __enzyme_fwddiff_mixed((void *)f, enzyme_dup, x, dx, enzyme_dup, 5.0, 1.0,
                                    enzyme_dup, y, dy);
  adze_near("tangent", t, 3, 0);
  adze_near("dy[0]", dy[0], 5 + 2, 0);
  adze_near("dy[1]", dy[1], 3 * 2 * 5, 0);
}
#endif
