// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callee overwrites, through another pointer, what was loaded before the call.
#include "check.h"

struct state {
  double *cell;
  int n;
};
__attribute__((noinline)) static void touch(struct state *s, double by) {
  for (int i = 0; i < s->n; ++i)
    s->cell[i] *= by;
}

void hidden(double *x) {
  struct state s = {x, 3};
  double before = x[0];
  touch(&s, before);
  double after = x[0];
  touch(&s, x[1] * after);
  x[3] += before * after * x[2];
}

ADZE_TEST_INPLACE(hidden, 4, ADZE_AT(0.5, 0.7, -0.4, 1.3))
