// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option -adze-runtime-activity: what goes through constant memory is constant, by the user's
// word, where otherwise the program is refused (Traps/ScratchConst).
// ADZE: flags="-mllvm -adze-runtime-activity"
#include "check.h"

// Apart, lest the optimizer forwards what is stored.
__attribute__((noinline)) static void square(const double *x, double *p) {
  for (int i = 0; i < 3; ++i)
    p[i] = x[i] * x[i];
}

void f(const double *x, double *scratch, double *y, int both) {
  double *p = both ? y : scratch;
  square(x, p);
  *y = p[0] * p[1] + p[2] + x[0];
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_s(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  for (int both = 0; both < 2; ++both) {
    double x[3] = {2, 3, 5}, dx[3] = {0, 0, 0}, s[3] = {1, 1, 1}, y[3], dy[3] = {1, 0, 0};
    __enzyme_autodiff_s((void *)f, enzyme_dup, x, dx, enzyme_const, s, enzyme_dup, y, dy,
                        enzyme_const, both);
    adze_near("dx0", dx[0], both ? 37 : 1, 0);
    adze_near("dx1", dx[1], both ? 24 : 0, 0);
    adze_near("dx2", dx[2], both ? 10 : 0, 0);
    adze_near("y", y[0], 63, 0);
    adze_near("s", s[2], both ? 1 : 25, 0);
  }
}
#endif
#if ADZE_FORWARD
extern void __enzyme_fwddiff_s(void *, ...);
ADZE_TEST_FORWARD(forward) {
  for (int both = 0; both < 2; ++both) {
    double x[3] = {2, 3, 5}, dx[3] = {1, 0, 1}, s[3] = {1, 1, 1}, y[3], dy[3] = {7, 7, 7};
    __enzyme_fwddiff_s((void *)f, enzyme_dup, x, dx, enzyme_const, s, enzyme_dup, y, dy,
                       enzyme_const, both);
    adze_near("dy", dy[0], both ? 47 : 1, 0);
    adze_near("s", s[2], both ? 1 : 25, 0);
  }
}
#endif
