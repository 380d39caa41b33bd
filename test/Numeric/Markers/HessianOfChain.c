// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second derivative of a long chain of cosines, forward over reverse.
// ADZE: modes=forward
#include "check.h"
#include <math.h>

double chain(double x) {
  for (int i = 0; i < 400; ++i)
    x = cos(x) * 1.1;
  return x;
}

#if ADZE_FORWARD
extern double __enzyme_autodiff_inner(void *, double);
extern double __enzyme_fwddiff_outer(void *, double, double);
double slope(double x) { return __enzyme_autodiff_inner((void *)chain, x); }
ADZE_TEST_FORWARD(second) {
  double x = 0.4, d = 1, dd = 0;
  for (int i = 0; i < 400; ++i) {
    double s = sin(x), c = cos(x);
    dd = -1.1 * (c * d * d + s * dd);
    d = -1.1 * s * d;
    x = c * 1.1;
  }
  double h = __enzyme_fwddiff_outer((void *)slope, 0.4, 1.0);
  adze_near("second derivative over its size", h / (fabs(dd) > 1e-300 ? dd : 1),
            fabs(dd) > 1e-300 ? 1 : 0, 1e-9);
}
#endif
