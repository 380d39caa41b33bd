// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A generic reduction: a context behind void *, elements of any size.
#include "check.h"
#include <stddef.h>
struct context {
  double scale;
  double sum;
  int calls;
};
static void each(void *data, size_t size, int n, void (*f)(void *, void *),
                 void *ctx) {
  for (int i = 0; i < n; ++i)
    f((char *)data + i * size, ctx);
}
static void addDouble(void *e, void *ctx) {
  struct context *c = (struct context *)ctx;
  c->sum += c->scale * *(double *)e;
  c->calls++;
}
struct pair {
  int n;
  double v;
};
static void addPair(void *e, void *ctx) {
  struct context *c = (struct context *)ctx;
  struct pair *p = (struct pair *)e;
  c->sum += p->n * p->v;
  c->calls++;
}
void callbacks(const double *x, double *y) {
  double d[3] = {x[0] * x[1], x[1], x[2] * x[2]};
  struct pair p[2] = {{2, x[0]}, {3, x[1] * x[2]}};
  struct context c = {x[2], 0, 0};
  each(d, sizeof d[0], 3, addDouble, &c);
  each(p, sizeof p[0], 2, addPair, &c);
  y[0] = c.sum * c.calls;
}
ADZE_TEST_MAP(callbacks, 3, 1, ADZE_AT(0.9, 1.1, -0.7))
