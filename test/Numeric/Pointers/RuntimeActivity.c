// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// enzyme_runtime_activity: the user's shadow structure holds the primal's own pointers where the
// structure is constant, at any depth; reads there have no derivative, and nothing is written.
#include "check.h"
#include <stdlib.h>
#include <string.h>

struct Inner {
  double *values;
};
struct Model {
  double *a, *b;
  struct Inner *inner;
  int n;
};

__attribute__((noinline)) static double term(const struct Model *m, int i) {
  return m->a[i] * m->b[i] * m->inner->values[i];
}

double total(struct Model *m, double *log) {
  double s = 0;
  for (int i = 0; i < m->n; ++i)
    s += term(m, i);
  m->b[0] = s * s;
  memcpy(log, m->inner->values, m->n * sizeof(double));
  return s;
}

struct Case {
  double a[3], b[3], v[3], log[3], da[3], db[3], dv[3], dlog[3];
  struct Inner inner, dinner;
  struct Model m, dm;
};

static void start(struct Case *c, int constant) {
  struct Case k = {.a = {2, 3, 5}, .b = {7, 11, 13}, .v = {17, 19, 23}};
  *c = k;
  c->inner.values = c->v;
  c->dinner.values = constant & 4 ? c->v : c->dv;
  struct Model m = {c->a, c->b, &c->inner, 3};
  c->m = c->dm = m;
  if (!(constant & 1))
    c->dm.a = c->da;
  if (!(constant & 2))
    c->dm.b = c->db;
  // A structure may be constant as a whole, its content with it.
  if (!(constant & 8))
    c->dm.inner = &c->dinner;
}

static void unharmed(const struct Case *c) {
  double s = 2 * 7 * 17 + 3 * 11 * 19 + 5 * 13 * 23;
  adze_near("a", c->a[0], 2, 0);
  adze_near("b0", c->b[0], s * s, 0);
  adze_near("b1", c->b[1], 11, 0);
  adze_near("v", c->v[2], 23, 0);
  adze_near("log", c->log[1], 19, 0);
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_r(void *, ...);
extern int enzyme_runtime_activity;
ADZE_TEST_REVERSE(reverse) {
  for (int constant = 0; constant < 16; ++constant) {
    struct Case c;
    start(&c, constant);
    int v = !(constant & 4) && !(constant & 8);
    c.dlog[0] = 100;
    __enzyme_autodiff_r((void *)total, enzyme_runtime_activity, enzyme_dup, &c.m, &c.dm,
                        enzyme_dup, c.log, c.dlog);
    unharmed(&c);
    adze_near("dlog", c.dlog[0], 0, 0);
    for (int i = 0; i < 3; ++i) {
      const double b[3] = {7, 11, 13};
      adze_near("da", c.da[i], constant & 1 ? 0 : b[i] * c.v[i], 0);
      adze_near("db", c.db[i], constant & 2 ? 0 : c.a[i] * c.v[i], 0);
      adze_near("dv", c.dv[i], v ? c.a[i] * b[i] + (i ? 0 : 100) : 0, 0);
    }
  }
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_r(void *, ...);
extern int enzyme_runtime_activity;
ADZE_TEST_FORWARD(forward) {
  for (int constant = 0; constant < 16; ++constant) {
    struct Case c;
    start(&c, constant);
    int v = !(constant & 4) && !(constant & 8);
    for (int i = 0; i < 3; ++i)
      c.da[i] = c.db[i] = c.dv[i] = c.dlog[i] = i + 1;
    double want = 0;
    for (int i = 0; i < 3; ++i)
      want += (i + 1) * ((constant & 1 ? 0 : c.b[i] * c.v[i]) +
                         (constant & 2 ? 0 : c.a[i] * c.v[i]) + (v ? c.a[i] * c.b[i] : 0));
    double s = 2 * 7 * 17 + 3 * 11 * 19 + 5 * 13 * 23;
    double got = __enzyme_fwddiff_r((void *)total, enzyme_runtime_activity, enzyme_dup, &c.m,
                                    &c.dm, enzyme_dup, c.log, c.dlog);
    unharmed(&c);
    adze_near("tangent", got, want, 0);
    adze_near("db0", c.db[0], constant & 2 ? 1 : 2 * s * want, 0);
    adze_near("dlog1", c.dlog[1], v ? 2 : 0, 0);
  }
}
#endif
