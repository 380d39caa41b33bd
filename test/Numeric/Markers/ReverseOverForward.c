// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reverse marker on a function that calls the forward marker. An argument that is const
// for the inner call is active for the outer one.
// ADZE: modes=reverse
#include "check.h"
#include <math.h>

double f(const double *x, const double *w) {
  double local[2] = {w[0], w[1]};
  double s = 0;
  for (int i = 0; i < 2; ++i)
    s += local[i] * sin(x[i]) * x[1 - i];
  return s;
}

#if ADZE_REVERSE
extern double __enzyme_fwddiff_inner(void *, ...);
extern void __enzyme_autodiff_outer(void *, ...);
double slope(const double *x, const double *w) {
  double v[2] = {1, 0};
  return __enzyme_fwddiff_inner((void *)f, enzyme_dup, x, v, enzyme_const, w);
}
ADZE_TEST_REVERSE(outer) {
  // slope = w0 cos(x0) x1 + w1 sin(x1)
  double x[2] = {0.3, 0.7}, dx[2] = {0, 0}, w[2] = {2, 3}, dw[2] = {0, 0};
  __enzyme_autodiff_outer((void *)slope, enzyme_dup, x, dx, enzyme_dup, w, dw);
  adze_near("dx0", dx[0], -2 * sin(0.3) * 0.7, 1e-14);
  adze_near("dx1", dx[1], 2 * cos(0.3) + 3 * cos(0.7), 1e-14);
  adze_near("dw0", dw[0], cos(0.3) * 0.7, 1e-14);
  adze_near("dw1", dw[1], sin(0.7), 1e-14);
}
#endif
