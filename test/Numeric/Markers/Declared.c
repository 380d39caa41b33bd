// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function is defined behind the marker call, or is static inline, or weak.
#include "check.h"
#include <math.h>

double later(double x);
static inline double near(double x) { return x * x; }
__attribute__((weak)) double weak(double x) { return 3 * x; }

#if ADZE_REVERSE
extern double __enzyme_autodiff_d(void *, double);
ADZE_TEST_REVERSE(reverse) {
  adze_near("later", __enzyme_autodiff_d((void *)later, 2.0), exp(2.0), 1e-14);
  adze_near("inline", __enzyme_autodiff_d((void *)near, 2.0), 4, 0);
  adze_near("weak", __enzyme_autodiff_d((void *)weak, 2.0), 3, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_d(void *, double, double);
ADZE_TEST_FORWARD(forward) {
  adze_near("later", __enzyme_fwddiff_d((void *)later, 2.0, 2.0), 2 * exp(2.0), 1e-14);
  adze_near("inline", __enzyme_fwddiff_d((void *)near, 2.0, 1.0), 4, 0);
  adze_near("weak", __enzyme_fwddiff_d((void *)weak, 2.0, 1.0), 3, 0);
}
#endif

double later(double x) { return exp(x); }
