// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context behind void*, passed down two functions that are called by name and
// are not inlined.
#include "check.h"

struct model {
  int degree;
  const double *coefficients;
  double shift;
};

__attribute__((noinline)) static double term(double t, const void *context) {
  const struct model *m = (const struct model *)context;
  double r = 0;
  for (int i = m->degree; i >= 0; --i)
    r = r * (t - m->shift) + m->coefficients[i];
  return r;
}
__attribute__((noinline)) static double sum(int n, void *context) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += term(0.25 * i, context);
  return s;
}

void model(const double *x, double *y) {
  struct model m = {2, x, x[3]};
  y[0] = sum(3, &m);
  m.degree = 1;
  y[1] = term(x[0], &m);
}

ADZE_TEST_MAP(model, 4, 2, ADZE_AT(0.9, 1.1, -0.7, 0.3))
