// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of one marker in several branches stay calls of several functions.
#include "check.h"

static double twice(double x) { return 2 * x; }
static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }

#if ADZE_REVERSE
extern double __enzyme_autodiff_d(void *, double);
static __attribute__((noinline)) double slope(int which, double x) {
  double d = 0;
  if (which == 0)
    d = __enzyme_autodiff_d((void *)twice, x);
  if (which == 1)
    d = __enzyme_autodiff_d((void *)square, x);
  if (which == 2)
    d = __enzyme_autodiff_d((void *)cube, x);
  return d;
}
ADZE_TEST_REVERSE(reverse) {
  for (int which = 0; which < 3; ++which)
    adze_near("slope", slope(which, 3.0), which == 0 ? 2 : which == 1 ? 6 : 27, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_d(void *, double, double);
static __attribute__((noinline)) double tangent(int which, double x) {
  switch (which) {
  case 0:
    return __enzyme_fwddiff_d((void *)twice, x, 1.0);
  case 1:
    return __enzyme_fwddiff_d((void *)square, x, 1.0);
  default:
    return __enzyme_fwddiff_d((void *)cube, x, 1.0);
  }
}
ADZE_TEST_FORWARD(forward) {
  for (int which = 0; which < 3; ++which)
    adze_near("slope", tangent(which, 3.0), which == 0 ? 2 : which == 1 ? 6 : 27, 0);
}
#endif
