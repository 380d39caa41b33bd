// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Active scalars of different types: a float, a double and a long double in one struct.
#include "check.h"

double f(float a, double b, long double c) { return a * b * (double)c; }

#if ADZE_REVERSE
struct grad {
  float a;
  double b;
  long double c;
};
extern struct grad __enzyme_autodiff_types(void *, float, double, long double);
ADZE_TEST_REVERSE(reverse) {
  struct grad g = __enzyme_autodiff_types((void *)f, 2.0f, 3.0, 5.0L);
  adze_near("a", g.a, 15, 0);
  adze_near("b", g.b, 10, 0);
  adze_near("c", g.c, 6, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_types(void *, float, float, double, double, long double,
                                     long double);
ADZE_TEST_FORWARD(forward) {
  double t = __enzyme_fwddiff_types((void *)f, 2.0f, 1.0f, 3.0, 10.0, 5.0L, 100.0L);
  adze_near("tangent", t, 15 + 100 + 600, 0);
}
#endif
