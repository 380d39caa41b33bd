// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More is set than the function shows the type of: the adjoint of the rest is
// zero all the same, also where pointers stand beside it.
#include "check.h"
#include <string.h>

void set_all(double *x) {
  double first = x[0];
  memset(x, 0, 4 * sizeof *x);
  x[1] = first * first;
}
ADZE_TEST_INPLACE(set_all, 4, ADZE_AT(0.5, 2.0, -3.0, 0.7))

struct block {
  double *data;
  double a, b;
};
double reset(struct block *s) {
  double r = s->data[0] * s->a;
  memset(s, 0, sizeof *s);
  return r;
}

#if ADZE_REVERSE
void __enzyme_autodiff_reset(void *, ...);
#endif
ADZE_TEST_REVERSE(reset_structure) {
  double x = 3, dx = 0;
  struct block s = {&x, 2, 5}, ds = {&dx, 1, 1};
  __enzyme_autodiff_reset((void *)reset, &s, &ds);
  adze_near("data", dx, 2, 1e-14);
  adze_near("a", ds.a, 3, 1e-14);
  adze_near("b", ds.b, 0, 0);
}
