// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// enzyme_out before arguments by value, mixed with constants: results in argument order.
#include "check.h"

double f(double a, double b, int n, double c) {
  double s = a;
  for (int i = 0; i < n; ++i)
    s = s * b + c;
  return s;
}

#if ADZE_REVERSE
struct two {
  double a, c;
};
extern struct two __enzyme_autodiff_ac(void *, int, double, int, double, int, int, int,
                                       double);
extern double __enzyme_autodiff_b(void *, int, double, int, double, int, int, int, double);
ADZE_TEST_REVERSE(reverse) {
  // n = 2: s = a b^2 + c b + c.
  struct two g = __enzyme_autodiff_ac((void *)f, enzyme_out, 2.0, enzyme_const, 3.0,
                                      enzyme_const, 2, enzyme_out, 5.0);
  adze_near("d/da", g.a, 9, 0);
  adze_near("d/dc", g.c, 4, 0);
  double b = __enzyme_autodiff_b((void *)f, enzyme_const, 2.0, enzyme_out, 3.0,
                                 enzyme_const, 2, enzyme_const, 5.0);
  adze_near("d/db", b, 2 * 2 * 3 + 5, 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_c(void *, int, double, int, double, int, int, int, double,
                                 double);
ADZE_TEST_FORWARD(forward) {
  double t = __enzyme_fwddiff_c((void *)f, enzyme_const, 2.0, enzyme_const, 3.0,
                                enzyme_const, 2, enzyme_dup, 5.0, 1.0);
  adze_near("d/dc", t, 4, 0);
}
#endif
