// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callees without active inputs, and callees that drop them, return constants: by value, in
// memory, through pointers, as one of several fields. Their tangents are zero, not they.
#include "check.h"
#include <math.h>
#define NOINLINE __attribute__((noinline)) static

struct pair {
  double a, b;
};
struct frame {
  double e[3][3];
  double *at;
};
NOINLINE struct pair unit(void) { return (struct pair){0.0, 1.0}; }
NOINLINE struct pair step(double x) { return (struct pair){floor(x), x > 0 ? 1.0 : -1.0}; }
NOINLINE struct frame identity(double *at) {
  struct frame f = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, at};
  return f;
}
NOINLINE void set(double *a, double *b) {
  *a = 3;
  *b = 4;
}
NOINLINE double constant(const double *x) { return x ? 5.0 : 6.0; }

void f(const double *x, double *y) {
  double v[2] = {x[0] * x[1], x[1]};
  struct pair u = unit(), s = step(x[0]);
  struct frame g = identity(v);
  y[0] = u.a * x[0] + u.b * x[1] + s.a * x[0] + s.b;
  y[1] = g.e[0][0] * g.at[0] + g.e[1][2] * g.at[1];
  set(&v[0], &v[1]);
  y[2] = v[0] * x[0] + v[1] * g.at[0];
  y[3] = u.b + g.e[1][1];
  y[4] = constant(x) * x[1];
  for (int i = 0; i < 3; ++i) {
    u = i == 1 ? unit() : (struct pair){x[0], u.b};
    y[4] += u.a * u.b * i;
  }
}
ADZE_TEST_MAP(f, 2, 5, ADZE_AT(0.9, 1.3, -0.5, 2.0))
