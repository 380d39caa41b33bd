// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers to variables, blocks and arguments that a callee stores through one
// argument and reads through another that is the same memory.
#include "check.h"
#include <math.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline)) static

struct node {
  double *p;
  struct node *q;
  double v;
};
static struct node known;
NOINLINE double local(struct node *o, struct node *a, double x) {
  double l[2] = {x * x, x};
  o->p = l;
  double y = a->p[0] + a->p[1];
  o->p = 0;
  return y;
}
NOINLINE void put(struct node *o, double *l) { o->p = l; }
NOINLINE double get(struct node *a) { return a->p[0]; }
NOINLINE double through_callees(struct node *o, struct node *a, double x) {
  double l[2] = {x * x * x, x};
  put(o, l);
  double y = get(a);
  put(o, 0);
  return y;
}
NOINLINE double block(struct node *o, struct node *a, double x) {
  o->p = malloc(16);
  o->p[0] = x * x;
  double y = a->p[0];
  free(o->p);
  o->p = 0;
  return y;
}
NOINLINE double behind(struct node *o, struct node *a, double x) {
  struct node n = {0, 0, sin(x)};
  o->q = &n;
  double y = a->q->v * a->q->v;
  o->q = 0;
  return y;
}
NOINLINE double cycle(struct node *o, double x) {
  struct node n = {&o->v, 0, x * x};
  o->q = &n;
  o->v = x * 3;
  double y = *o->q->p * o->q->v;
  o->q = 0;
  return y;
}
NOINLINE double written(struct node *o, struct node *a, double x) {
  double l = 1;
  o->p = &l;
  a->p[0] = x * x;
  return o->p[0] * l;
}
NOINLINE double argument(struct node *o, struct node *a, const double *x) {
  o->p = (double *)x;
  return a->p[0] * a->p[1];
}
NOINLINE double of_global(struct node *a, double x) {
  double l = x * x;
  known.p = &l;
  double y = a->p[0];
  known.p = 0;
  return y;
}

void f(const double *x, double *y) {
  struct node s = {0, 0, 0};
  y[0] = local(&s, &s, x[0]) * block(&s, &s, x[1]);
  y[1] = behind(&s, &s, x[2]) + through_callees(&s, &s, x[3]) * x[0];
  y[2] = cycle(&s, x[1]) + written(&s, &s, x[2]);
  y[3] = argument(&s, &s, x + 2) + of_global(&known, x[3]);
}
ADZE_TEST_MAP(f, 4, 4, ADZE_AT(0.5, 0.8, -0.3, 1.1))
