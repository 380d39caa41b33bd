// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs of long doubles, floats and integers: copied whole, passed by value,
// in an array.
#include "check.h"

struct mixed {
  float f;
  long double wide;
  short n;
  double d;
};

__attribute__((noinline)) static struct mixed twice(struct mixed m) {
  m.wide = m.wide * m.d;
  m.n = (short)(m.n + 1);
  return m;
}

void longs(const double *x, double *y) {
  struct mixed m[2], t;
  for (int i = 0; i < 2; ++i) {
    m[i].f = 0.5f;
    m[i].wide = (long double)x[i] * (long double)x[2];
    m[i].n = (short)i;
    m[i].d = x[i] - x[2];
  }
  t = twice(m[0]);
  m[0] = m[1];
  m[1] = t;
  y[0] = (double)(m[0].wide * m[1].wide) * m[1].n;
  y[1] = m[1].d * (double)m[0].f * (double)t.wide;
}

ADZE_TEST_MAP(longs, 3, 2, ADZE_AT(0.9, 1.1, -0.7))
