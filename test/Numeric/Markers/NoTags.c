// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without tags a pointer is dup, a float is out (reverse) or dup (forward), an integer const.
#include "check.h"

double f(const double *x, int n, double a) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * a;
  return s;
}

#if ADZE_REVERSE
extern double __enzyme_autodiff_plain(void *, const double *, double *, int, double);
ADZE_TEST_REVERSE(reverse) {
  double x[2] = {2, 3}, dx[2] = {0, 0};
  double da = __enzyme_autodiff_plain((void *)f, x, dx, 2, 5.0);
  adze_near("da", da, 13, 0);
  adze_near("dx[0]", dx[0], 20, 0);
  adze_near("dx[1]", dx[1], 30, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_plain(void *, const double *, const double *, int, double,
                                     double);
ADZE_TEST_FORWARD(forward) {
  double x[2] = {2, 3}, dx[2] = {0, 1};
  double t = __enzyme_fwddiff_plain((void *)f, x, dx, 2, 5.0, 10.0);
  adze_near("tangent", t, 30 + 130, 0);
}
#endif
