// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A local structure that holds pointers to active and to constant memory, handed to a callee that
// follows both, and one that chooses between them.
#include "check.h"

struct View {
  const double *active, *constant;
  double scale;
  int n;
};

__attribute__((noinline)) static double weigh(const struct View *v) {
  double s = 0;
  for (int i = 0; i < v->n; ++i)
    s += v->active[i] * v->active[i] * v->constant[i];
  return v->scale * s;
}

__attribute__((noinline)) static const double *choose(const struct View *v, int i) {
  return i % 2 ? v->active : v->constant;
}

double f(const double *x, const double *c, int n) {
  struct View v = {x, c, x[0], n};
  double s = weigh(&v);
  for (int i = 0; i < n; ++i) {
    const double *p = choose(&v, i);
    s += p[i] * x[1];
  }
  return s;
}

// x0 (x0^2 c0 + x1^2 c1 + x2^2 c2) + (c0 + x1 + c2) x1
static void want(const double *x, const double *c, double *d) {
  d[0] = 3 * x[0] * x[0] * c[0] + x[1] * x[1] * c[1] + x[2] * x[2] * c[2];
  d[1] = 2 * x[0] * x[1] * c[1] + c[0] + 2 * x[1] + c[2];
  d[2] = 2 * x[0] * x[2] * c[2];
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_m(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  const double x[3] = {2, 3, 5}, c[3] = {7, 11, 13};
  double d[3] = {0, 0, 0}, w[3];
  __enzyme_autodiff_m((void *)f, enzyme_dup, x, d, enzyme_const, c, 3);
  want(x, c, w);
  for (int i = 0; i < 3; ++i)
    adze_near("d", d[i], w[i], 0);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_m(void *, ...);
ADZE_TEST_FORWARD(forward) {
  const double x[3] = {2, 3, 5}, c[3] = {7, 11, 13};
  double w[3];
  want(x, c, w);
  for (int k = 0; k < 3; ++k) {
    double d[3] = {k == 0, k == 1, k == 2};
    adze_near("d", __enzyme_fwddiff_m((void *)f, enzyme_dup, x, d, enzyme_const, c, 3), w[k], 0);
  }
}
#endif
