// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is declared inactive must not overwrite memory that has a shadow: nothing would clear
// the shadow. Where a body shows that it does, that is an error, at every level.
//
// RUN: not %clang -O0 -g -DWRONG %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -DWRONG %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O0 -g %adze -c %s -o %t.o 2>&1 | count 0
// RUN: %clang -O2 -g %adze -c %s -o %t.o 2>&1 | count 0
#include <stdio.h>
#include <stdlib.h>
#define INACTIVE __attribute__((annotate("enzyme_inactive")))
double __enzyme_autodiff(void *, ...);
void elsewhere(const double *x, int n);

struct state {
  double v[2];
  int visits;
  long stamp;
};
static void fill(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = i;
}
static void deeper(double *x, int n) { fill(x + 1, n - 1); }
static double *at(double *x, int i) { return x + i; }
static void visit(struct state *s) {
  s->visits++;
  s->stamp = (long)s->visits << 33;
}
static void report(const double *x, int n) {
  elsewhere(x, n);
  printf("%g\n", x[0]);
}
__attribute__((noinline)) static double times(double x, INACTIVE double *y) {
  *y = x;
  return x * x;
}
void *__enzyme_inactivefn_all[] = {(void *)fill,  (void *)deeper, (void *)at,
                                   (void *)visit, (void *)report, (void *)elsewhere};

#ifdef WRONG
// CHECK-DAG: inactive-writes.c:[[#@LINE+3]]:3: error: memory that has a shadow may be overwritten without its derivative, through the inactive function 'fill'
double through_function(const double *x) {
  double t[2] = {x[0] * x[1], x[0]}, s = t[0] * t[1];
  fill(t, 2);
  return s + t[1] * x[0];
}
// CHECK-DAG: inactive-writes.c:[[#@LINE+2]]:3: error: memory that has a shadow may be overwritten without its derivative, through the inactive function 'deeper'
void through_callee(const double *x, double *y) {
  deeper(y, 2);
  y[0] = x[0];
}
// CHECK-DAG: inactive-writes.c:[[#@LINE+3]]:{{[0-9]+}}: error: memory that has a shadow may be overwritten without its derivative, through the pointer returned by 'at'
double through_result(double *x) {
  double y = x[0] * x[0];
  *at(x, 1) = y;
  return x[1] * x[0];
}
// CHECK-DAG: inactive-writes.c:[[#@LINE+3]]:{{[0-9]+}}: error: memory that has a shadow may be overwritten without its derivative, through an inactive parameter of 'times'
double through_parameter(const double *x) {
  double t = x[1];
  double r = times(x[0], &t);
  return r * t;
}
// CHECK: to fix: let it write to memory of its own, or do not declare it inactive
void wrong(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)through_function, x, dx);
  __enzyme_autodiff((void *)through_callee, x, dx, y, dy);
  __enzyme_autodiff((void *)through_result, x, dx);
  __enzyme_autodiff((void *)through_parameter, x, dx);
}
#else
// Numbers beside, memory of its own, and what cannot be seen.
double fine(struct state *s, const double *x) {
  double w[3], *v = malloc(sizeof w), unused;
  fill(w, 3);
  fill(v, 3);
  visit(s);
  report(x, 2);
  elsewhere(x, 2);
  double r = s->v[0] * w[1] * *at((double *)x, 0) + x[1] * v[2] + times(x[0], &unused);
  free(v);
  return r * s->visits;
}
void right(struct state *s, struct state *ds, double *x, double *dx) {
  __enzyme_autodiff((void *)fine, s, ds, x, dx);
}
#endif
