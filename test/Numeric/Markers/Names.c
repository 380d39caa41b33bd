// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any name that contains the marker, with text before and behind it; several markers in one
// function, in a loop, in an expression, and the function taken through a variable.
#include "check.h"
#include <math.h>

double f(double x) { return sin(x); }
double g(double x) { return x * x * x; }

#if ADZE_REVERSE
extern double my__enzyme_autodiff_of_one_number(void *, double);
extern double __enzyme_autodiff42(double (*)(double), double);
ADZE_TEST_REVERSE(reverse) {
  double s = 0;
  for (int i = 0; i < 3; ++i)
    s += my__enzyme_autodiff_of_one_number((void *)f, i) * __enzyme_autodiff42(g, i);
  adze_near("sum", s, cos(1) * 3 + cos(2) * 12, 1e-14);
  double (*which)(double) = g;
  adze_near("through a variable", __enzyme_autodiff42(which, 2), 12, 0);
}
#endif
#if ADZE_FORWARD
extern double their__enzyme_fwddiff(void *, double, double);
ADZE_TEST_FORWARD(forward) {
  double s = 0;
  for (int i = 0; i < 3; ++i)
    s += their__enzyme_fwddiff((void *)f, i, 1) * their__enzyme_fwddiff((void *)g, i, 2);
  adze_near("sum", s, 2 * (cos(1) * 3 + cos(2) * 12), 1e-14);
}
#endif
