// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An address in a packed record, on bytes where another record of the union has
// a part of a double. What is written beside it leaves its shadow alone.
// ADZE: modes=forward
#include "check.h"

struct __attribute__((packed)) One {
  short key;
  long count;
  const double *p;
};
struct Two {
  double v[3];
};
union Both {
  struct One one;
  struct Two two;
};

__attribute__((noinline)) static void make(union Both *u, const double *x,
                                           long n) {
  u->one.key = 1;
  u->one.p = x;
  u->one.count = n;
}
__attribute__((noinline)) static void fill(union Both *u, const double *x) {
  for (int i = 0; i < 3; ++i)
    u->two.v[i] = x[i] * x[i];
}
__attribute__((noinline)) static double sum(const union Both *u) {
  return u->two.v[0] + u->two.v[1] * u->two.v[2];
}
__attribute__((noinline)) static double follow(const union Both *u) {
  return u->one.p[0] * u->one.key * u->one.count;
}

double used(const double *x, int n) {
  union Both u;
  double s = 0;
  for (int i = 0; i + 2 < n; ++i) {
    fill(&u, x + i);
    s += sum(&u);
    make(&u, x + i, i + 2);
    s += follow(&u);
  }
  return s;
}
ADZE_TEST_ARRAY(used, 5, ADZE_AT(0.5, 0.25, -0.5, 0.75, 1.5))
