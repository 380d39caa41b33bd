// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// diffe_dup, diffe_const, diffe_out: the older names of the tags.
#include "check.h"

extern int diffe_dup, diffe_const, diffe_out, diffe_dupnoneed;

double f(const double *x, int n, double a) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * a;
  return s;
}

#if ADZE_REVERSE
extern double __enzyme_autodiff_old(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[2] = {2, 3}, dx[2] = {0, 0};
  double da =
      __enzyme_autodiff_old((void *)f, diffe_dup, x, dx, diffe_const, 2, diffe_out, 5.0);
  adze_near("da", da, 13, 0);
  adze_near("dx[1]", dx[1], 30, 0);
  double none = __enzyme_autodiff_old((void *)f, diffe_dup, x, dx, diffe_const, 2,
                                      diffe_out, 0.0);
  adze_near("da at 0", none, 13, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_old(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[2] = {2, 3}, dx[2] = {0, 1};
  double t =
      __enzyme_fwddiff_old((void *)f, diffe_dup, x, dx, diffe_const, 2, diffe_const, 5.0);
  adze_near("tangent", t, 30, 0);
}
#endif
