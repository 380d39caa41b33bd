// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure of two pointers stored to a heap cell, loaded again, and both used: both to
// active memory, one to constants, swapped on the way, copied as a whole.
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct pair {
  double *a, *b;
};
struct cell {
  int used;
  struct pair p;
};
__attribute__((noinline)) static struct cell *boxed(double *a, double *b) {
  struct cell *c = malloc(sizeof *c);
  struct pair p = {a, b};
  c->used = 0;
  c->p = p;
  return c;
}
__attribute__((noinline)) static double dot(struct pair p, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p.a[i] * p.b[i];
  return s;
}

double both(const double *x, int n) {
  double u[4], v[4];
  for (int i = 0; i < n; ++i) {
    u[i] = x[i] * x[i];
    v[i] = x[n - 1 - i] + 1;
  }
  struct cell *c = boxed(u, v);
  c->used++;
  struct pair p = c->p;
  double s = dot(p, n) + p.a[0] * p.b[1];
  free(c);
  return s;
}
ADZE_TEST_ARRAY(both, 4, ADZE_AT(0.9, 1.8, -0.7, 0.5))

double one(const double *x, int n) {
  double u[4], w[4] = {1, 2, 3, 4};
  memcpy(u, x, n * sizeof *u);
  struct cell *c = boxed(w, u);
  struct pair p = c->p;
  double s = dot(p, n) * x[0];
  free(c);
  return s;
}
static double d_one[] = {1 * 0.9 + 0.9 + 2 * 1.8 + 3 * -0.7 + 4 * 0.5, 2 * 0.9, 3 * 0.9, 4 * 0.9};
ADZE_TEST_ARRAY(one, 4, ADZE_AT(0.9, 1.8, -0.7, 0.5), .expected = d_one)

double swapped(const double *x, int n) {
  double u[4], v[4], s = 0;
  struct cell *c[2];
  for (int i = 0; i < n; ++i) {
    u[i] = x[i] * x[i];
    v[i] = 2 * x[i];
  }
  c[0] = boxed(u, v);
  c[1] = malloc(sizeof **c);
  for (int k = 0; k < 3; ++k) {
    memcpy(c[1], c[0], sizeof **c);
    double *t = c[1]->p.a;
    c[1]->p.a = c[1]->p.b;
    c[1]->p.b = t;
    c[1]->p.a[k] *= c[0]->p.a[k];
    s += dot(c[1]->p, n);
    struct cell *e = c[0];
    c[0] = c[1];
    c[1] = e;
  }
  free(c[0]);
  free(c[1]);
  return s;
}
ADZE_TEST_ARRAY(swapped, 4, ADZE_AT(0.9, 1.1, -0.7, 0.5))
