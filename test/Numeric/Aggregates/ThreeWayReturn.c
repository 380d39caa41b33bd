// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several values returned through a three-way branch, one field constant.
#include "check.h"

struct triple {
  double a, b, c;
};
__attribute__((noinline)) static struct triple branch(double x) {
  struct triple r;
  if (x < 0) {
    r.a = x;
    r.b = 2;
    r.c = x * x;
  } else if (x < 1) {
    r.a = 1;
    r.b = x * x * x;
    r.c = x;
  } else {
    r.a = x;
    r.b = 1 / x;
    r.c = 3;
  }
  return r;
}

void ways(const double *x, double *y) {
  for (int i = 0; i < 3; ++i) {
    struct triple t = branch(x[i]);
    y[i] = t.a * t.b + t.c * x[(i + 1) % 3];
  }
}

ADZE_TEST_MAP(ways, 3, 3, ADZE_AT(0.9, 1.3, -0.5, 2.0, -1.0, 0.3))
