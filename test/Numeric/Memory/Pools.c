// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that an arena or a free list gives out for one type first and for
// another one later, reached by pointers that are read from memory each time.
#include "check.h"
#include <stddef.h>
#include <stdlib.h>

#define APART __attribute__((noinline)) static

// An arena that starts again.
struct Arena {
  char *base;
  size_t used;
};
APART void *take(struct Arena *a, size_t bytes) {
  void *p = a->base + a->used;
  a->used += (bytes + 15) & ~(size_t)15;
  return p;
}
static double work(struct Arena *a, const double *x, int n) {
  double r = 0;
  for (int step = 0; step < 3; ++step) {
    a->used = 0;
    if (step != 1) {
      double *f = take(a, n * sizeof(double));
      double *g = take(a, n * sizeof(double));
      for (int i = 0; i < n; ++i)
        f[i] = x[i] * x[i], g[i] = f[i] * x[i];
      for (int i = 0; i < n; ++i)
        r += f[i] * g[n - 1 - i];
    } else {
      long *p = take(a, n * sizeof(long));
      long *q = take(a, n * sizeof(long));
      for (int i = 0; i < n; ++i)
        p[i] = i + step, q[i] = n - i;
      for (int i = 0; i < n; ++i)
        r += (double)(p[i] * q[i]) * x[i];
    }
  }
  return r;
}
double resets(const double *x, int n) {
  struct Arena a = {malloc(256), 0};
  double r = work(&a, x, n);
  free(a.base);
  return r;
}
ADZE_TEST_ARRAY(resets, 3, ADZE_AT(0.5, 0.25, -0.5))

// A pointer in a global.
static char *cursor;
APART double global_doubles(const double *x, int n) {
  double *f = (double *)cursor, r = 0;
  for (int i = 0; i < n; ++i)
    f[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    r += f[i] * f[n - 1 - i];
  return r;
}
APART double global_longs(const double *x, int n) {
  long *f = (long *)cursor;
  double r = 0;
  for (int i = 0; i < n; ++i)
    f[i] = i + 2;
  for (int i = 0; i < n; ++i)
    r += f[i] * x[i];
  return r;
}
double cursors(const double *x, int n) {
  cursor = malloc(64);
  double r = global_doubles(x, n);
  r += global_longs(x, n);
  r *= global_doubles(x, n);
  free(cursor);
  return r;
}
ADZE_TEST_ARRAY(cursors, 3, ADZE_AT(0.5, 0.25, -0.5))

// A free list of nodes of two types.
struct Free {
  struct Free *next;
};
struct Pool {
  struct Free *head;
};
static void *get(struct Pool *p) {
  struct Free *f = p->head;
  p->head = f->next;
  return f;
}
static void put(struct Pool *p, void *v) {
  struct Free *f = v;
  f->next = p->head;
  p->head = f;
}
struct Two {
  double a, b;
};
struct Count {
  long n, m;
};
static double pooled(struct Pool *p, const double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; ++i) {
    struct Two *t = get(p);
    t->a = x[i] * x[i];
    t->b = x[i] + 1;
    r += t->a * t->b;
    put(p, t);
    struct Count *c = get(p);
    c->n = i;
    c->m = i + 3;
    r += (double)(c->n * c->m) * x[i];
    put(p, c);
  }
  return r;
}
double lists(const double *x, int n) {
  struct Pool p = {0};
  struct Two blocks[2];
  void *m = malloc(sizeof blocks);
  put(&p, m);
  put(&p, (char *)m + sizeof(struct Two));
  double r = pooled(&p, x, n);
  free(m);
  return r;
}
ADZE_TEST_ARRAY(lists, 3, ADZE_AT(0.5, 0.25, -0.5))

// One pointer that is read by two ways.
static struct Arena *shared;
APART void share(struct Arena *a) { shared = a; }
double shares(const double *x, int n) {
  struct Arena s = {malloc(64), 0}, *a = &s;
  double r = 0;
  for (int k = 0; k < 2; ++k) {
    double *f = (double *)a->base;
    for (int i = 0; i < n; ++i)
      f[i] = x[i] * x[i];
    for (int i = 0; i < n; ++i)
      r += f[i] * f[n - 1 - i];
    share(a);
    long *p = (long *)shared->base;
    for (int i = 0; i < n; ++i)
      p[i] = i + k;
    for (int i = 0; i < n; ++i)
      r += p[i] * x[i];
  }
  free(a->base);
  return r;
}
ADZE_TEST_ARRAY(shares, 3, ADZE_AT(0.5, 0.25, -0.5))
