// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A marker on a library function itself.
#include "check.h"
#include <math.h>

#if ADZE_REVERSE
extern double __enzyme_autodiff_d(void *, double);
ADZE_TEST_REVERSE(reverse) {
  adze_near("sin", __enzyme_autodiff_d((void *)sin, 2.0), cos(2.0), 1e-15);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_d(void *, double, double);
ADZE_TEST_FORWARD(forward) {
  adze_near("sin", __enzyme_fwddiff_d((void *)sin, 2.0, 1.0), cos(2.0), 1e-15);
}
#endif
