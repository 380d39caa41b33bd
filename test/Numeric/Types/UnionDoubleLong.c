// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A union of a double and an integer: bits copied as integers, sign changed
// through them.
#include "check.h"

union number {
  double d;
  long n;
};

static double negated(double v) {
  union number u;
  u.d = v;
  u.n ^= (long)(1ul << 63);
  return u.d;
}

void numbers(const double *x, double *y) {
  union number u[3], t;
  for (int i = 0; i < 3; ++i)
    u[i].d = x[i] * x[(i + 1) % 3];
  t.n = u[0].n;
  u[0].n = u[2].n;
  u[2] = t;
  y[0] = u[0].d * u[1].d;
  y[1] = u[2].d * negated(u[1].d);
}

ADZE_TEST_MAP(numbers, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
