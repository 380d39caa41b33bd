// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// enzyme_primal_return where the gradient goes to a shadow: the primal alone comes back.
#include "check.h"
#include <math.h>

double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += sin(x[i]) * x[0];
  return s;
}

#if ADZE_REVERSE
extern double __enzyme_autodiff_pr(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[3] = {0.5, 1.5, -2}, dx[3] = {0, 0, 100};
  double p = __enzyme_autodiff_pr((void *)f, enzyme_primal_return, enzyme_dup, x, dx,
                                  enzyme_const, 3);
  adze_near("primal", p, f(x, 3), 1e-15);
  adze_near("dx[0]", dx[0], f(x, 3) / 0.5 + 0.5 * cos(0.5), 1e-14);
  adze_near("dx[1]", dx[1], 0.5 * cos(1.5), 1e-14);
  adze_near("dx[2]", dx[2], 100 + 0.5 * cos(-2), 1e-14);
}
#endif
#if ADZE_FORWARD
struct two {
  double primal, tangent;
};
extern struct two __enzyme_fwddiff_pr(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[3] = {0.5, 1.5, -2}, dx[3] = {0, 1, 0};
  struct two r = __enzyme_fwddiff_pr((void *)f, enzyme_primal_return, enzyme_dup, x, dx,
                                     enzyme_const, 3);
  adze_near("primal", r.primal, f(x, 3), 1e-15);
  adze_near("tangent", r.tangent, 0.5 * cos(1.5), 1e-14);
}
#endif
