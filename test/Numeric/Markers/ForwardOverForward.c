// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A derivative of a derivative by two forward markers: f = 2 d/dx (x^3) at (1, 3) is (6, 54),
// and its own derivative (12, 36).
// ADZE: modes=forward
#include "check.h"

double cube(double x) { return x * x * x; }

#if ADZE_FORWARD
extern double __enzyme_fwddiff_inner(void *, double, double);
extern double __enzyme_fwddiff_outer(void *, double, double);
double f(double x) { return 2 * __enzyme_fwddiff_inner((void *)cube, x, 1.0); }
ADZE_TEST_FORWARD(twice) {
  adze_near("f(1)", f(1), 6, 0);
  adze_near("f(3)", f(3), 54, 0);
  adze_near("f'(1)", __enzyme_fwddiff_outer((void *)f, 1.0, 1.0), 12, 0);
  adze_near("f'(3)", __enzyme_fwddiff_outer((void *)f, 3.0, 1.0), 36, 0);
}
#endif
