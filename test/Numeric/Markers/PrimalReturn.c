// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// enzyme_primal_return: the primal's result first, then the derivative or the tangent.
#include "check.h"

double f(double x, double y) { return x * x * y; }

#if ADZE_REVERSE
struct three {
  double primal, dx, dy;
};
extern struct three __enzyme_autodiff_pr(void *, int, double, double);
ADZE_TEST_REVERSE(reverse) {
  struct three r = __enzyme_autodiff_pr((void *)f, enzyme_primal_return, 3.0, 2.0);
  adze_near("primal", r.primal, 18, 0);
  adze_near("d/dx", r.dx, 12, 0);
  adze_near("d/dy", r.dy, 9, 0);
}
#endif
#if ADZE_FORWARD
struct two {
  double primal, tangent;
};
extern struct two __enzyme_fwddiff_pr(void *, int, double, double, double, double);
ADZE_TEST_FORWARD(forward) {
  struct two r =
      __enzyme_fwddiff_pr((void *)f, enzyme_primal_return, 3.0, 1.0, 2.0, 10.0);
  adze_near("primal", r.primal, 18, 0);
  adze_near("tangent", r.tangent, 12 + 90, 0);
}
#endif
