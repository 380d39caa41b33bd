// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure with an active number and a pointer to local constants, whose shadow nobody in its
// own function needs, but a callee reads both.
#include "check.h"

struct S {
  double x;
  const double *p;
  int *index;
};

__attribute__((noinline)) static double inner(struct S *s) {
  s->p += s->index[0];
  return s->x * s->p[0] + s->p[1];
}

double f(double x) {
  double t[3] = {1, 7, 5};
  int index[1] = {1};
  struct S s = {x * x, t, index};
  return inner(&s) * x;
}
// (7 x^2 + 5) x
static double df(double x) { return 21 * x * x + 5; }
ADZE_TEST_SCALAR1(f, ADZE_AT(0.5, 2.0, -3.0), .derivative = df)
