// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs returned with constant and active fields, in registers and through sret, directly
// and through a wrapper; a callee that returns the constants {0.0, 1.0}.
#include "check.h"

struct dual {
  double a, b;
};
struct wide {
  double a, b, c, d;
};
__attribute__((noinline)) static struct dual unit(void) {
  struct dual r = {0.0, 1.0};
  return r;
}
__attribute__((noinline)) static struct dual half(double x) {
  struct dual r = {x, 0.5};
  return r;
}
__attribute__((noinline)) static struct wide spread(double x) {
  struct wide r = {1.0, x * x, 2.0, x};
  return r;
}
__attribute__((noinline)) static struct wide wrapper(double x) { return spread(x + 1); }

void fields(const double *x, double *y) {
  struct dual u = unit(), h = half(x[0]);
  struct wide w = wrapper(x[1]);
  y[0] = u.a * x[0] + u.b * x[1];
  y[1] = h.a * h.b + u.b;
  y[2] = w.a * w.b * w.c * w.d;
  y[3] = u.a;
}

ADZE_TEST_MAP(fields, 2, 4, ADZE_AT(0.9, 1.3, -0.5, 2.0))
