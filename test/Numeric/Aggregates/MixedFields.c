// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A struct of a double, a float, an integer and a pointer, by value.
#include "check.h"

struct mixed {
  double d;
  float f;
  int n;
  const double *p;
};
__attribute__((noinline)) static double use(struct mixed m) {
  return m.d * m.f * m.n + m.p[m.n];
}
struct pair {
  double d;
  long n;
};
__attribute__((noinline)) static struct pair both(double x, long n) {
  struct pair r = {x * x, n + 1};
  return r;
}

void mixes(const double *x, double *y) {
  struct pair p = both(x[0], 0);
  struct mixed m = {x[0] * x[1], 1.5f, (int)p.n, x};
  y[0] = use(m);
  m.d = p.d;
  m.f = 0.25f;
  y[1] = use(m);
}

ADZE_TEST_MAP(mixes, 2, 2, ADZE_AT(0.9, 1.3, -0.5, 2.0))
