// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures with constant and active fields through wrappers, in registers and in memory,
// through a pointer to a function chosen when the program runs, nested in one another.
#include "check.h"
#define NOINLINE __attribute__((noinline)) static

struct small {
  double v, w;
};
struct mixed {
  float f;
  int i;
  double d;
};
struct large {
  struct small s[2];
  const char *name;
  double last;
  int ok;
};
typedef struct large maker(double, int);
NOINLINE struct small one(double x) { return (struct small){x * x, 2}; }
NOINLINE struct mixed two(double x) { return (struct mixed){0.75f, 3, x}; }
NOINLINE struct large left(double x, int k) {
  return (struct large){{one(x), {1, x}}, "left", 7, k};
}
NOINLINE struct large right(double x, int k) {
  struct large r = left(x, k);
  r.s[0].v *= r.s[1].w;
  r.s[1] = one(2);
  r.last = x;
  return r;
}
NOINLINE struct large made(maker *make, double x) {
  struct large r = make(x, 1);
  if (!r.ok || r.name[0] == 0)
    r.last = 0;
  return r;
}
static double total(struct large r) {
  return r.s[0].v * r.s[0].w + r.s[1].v * r.s[1].w * r.last;
}
static maker *volatile makers[2] = {left, right};

void f(const double *x, double *y) {
  maker *make[2] = {makers[0], makers[1]};
  struct mixed m = two(x[1]);
  y[0] = total(left(x[0], 1)) + one(x[1]).w;
  y[1] = total(made(right, x[0])) * m.d + m.i;
  y[2] = total(made(make[x[1] > 0], x[1])) + m.f * x[0] * m.d;
}
ADZE_TEST_MAP(f, 2, 3, ADZE_AT(0.9, 1.3, -0.5, -2.0))
