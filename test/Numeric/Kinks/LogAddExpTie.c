// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log(exp(a) + exp(a)): the shares of the two are between 0 and 1 and add up to 1, whatever
// is chosen at the tie of max and at the kink of fabs.
#include "check.h"
#include <math.h>

double logaddexp(double a, double b) { return fmax(a, b) + log1p(exp(-fabs(a - b))); }
ADZE_TEST_SCALAR2(logaddexp, ADZE_AT(1.0, 2.0, 2.0, -1.0))

#if ADZE_REVERSE
struct two {
  double a, b;
};
ADZE_EXTERN struct two __enzyme_autodiff_tie(void *, double, double);
ADZE_TEST_REVERSE(tie) {
  struct two g = __enzyme_autodiff_tie((void *)logaddexp, 1.5, 1.5);
  adze_near("sum of the shares", g.a + g.b, 1, 1e-14);
  adze_true("a share between 0 and 1", g.a >= 0 && g.a <= 1);
}
#endif
#if ADZE_FORWARD
ADZE_EXTERN double __enzyme_fwddiff_tie(void *, double, double, double, double);
ADZE_TEST_FORWARD(tie) {
  adze_near("sum of the shares",
            __enzyme_fwddiff_tie((void *)logaddexp, 1.5, 1.0, 1.5, 1.0), 1, 1e-14);
}
#endif
