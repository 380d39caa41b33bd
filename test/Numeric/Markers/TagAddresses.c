// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tags given as addresses of the globals, and as globals defined in the program itself.
#include "check.h"

int enzyme_dup, enzyme_const, enzyme_out;

double f(const double *x, int n) { return x[0] * x[n]; }

#if ADZE_REVERSE
extern void __enzyme_autodiff_address(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[2] = {2, 3}, dx[2] = {0, 0};
  __enzyme_autodiff_address((void *)f, &enzyme_dup, x, dx, &enzyme_const, 1);
  __enzyme_autodiff_address((void *)f, enzyme_dup, x, dx, enzyme_const, 1);
  adze_near("dx[0]", dx[0], 6, 0);
  adze_near("dx[1]", dx[1], 4, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_address(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[2] = {2, 3}, dx[2] = {1, 0};
  adze_near("tangent",
            __enzyme_fwddiff_address((void *)f, &enzyme_dup, x, dx, &enzyme_const, 1), 3, 0);
  adze_near("tangent",
            __enzyme_fwddiff_address((void *)f, enzyme_dup, x, dx, enzyme_const, 1), 3, 0);
}
#endif
