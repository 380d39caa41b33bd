// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A callee gets a structure of pointers, reads constant memory through one member and writes
// active memory through another: what holds of one member does not hold of all.
#include "check.h"

struct View {
  const double *weights;
  double *out;
  const double *in;
  int n;
};

__attribute__((noinline)) static void scale(const struct View *v) {
  for (int i = 0; i < v->n; ++i)
    v->out[i] = v->weights[i] * v->in[i] * v->in[i];
}

// The structure goes through another one, and is copied.
struct Outer {
  int tag;
  struct View view;
};
__attribute__((noinline)) static void twice(struct Outer *o) {
  struct View copy = o->view;
  scale(&copy);
  copy.in = copy.out;
  scale(&copy);
}

void f(const double *x, const double *weights, double *y, int n) {
  struct View v = {weights, y, x, n};
  scale(&v);
  struct Outer o = {1, v};
  o.view.in = y;
  twice(&o);
}

// y = w (w (w x^2)^2)^2 = w^7 x^8
static double partial(double w, double x) {
  double w2 = w * w, x2 = x * x;
  return 8 * w2 * w2 * w2 * w * x2 * x2 * x2 * x;
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_w(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  double x[2] = {0.5, 1.5}, d[2] = {0, 0}, y[2], dy[2] = {1, 10};
  const double w[2] = {2, 0.5};
  __enzyme_autodiff_w((void *)f, enzyme_dup, x, d, enzyme_const, w, enzyme_dup, y, dy, 2);
  for (int i = 0; i < 2; ++i) {
    adze_near("d", d[i], (i ? 10 : 1) * partial(w[i], x[i]), 1e-13);
    adze_near("seed", dy[i], 0, 0);
  }
}
#endif
#if ADZE_FORWARD
extern void __enzyme_fwddiff_w(void *, ...);
ADZE_TEST_FORWARD(forward) {
  double x[2] = {0.5, 1.5}, d[2] = {1, 10}, y[2], dy[2] = {7, 7};
  const double w[2] = {2, 0.5};
  __enzyme_fwddiff_w((void *)f, enzyme_dup, x, d, enzyme_const, w, enzyme_dup, y, dy, 2);
  for (int i = 0; i < 2; ++i)
    adze_near("dy", dy[i], (i ? 10 : 1) * partial(w[i], x[i]), 1e-13);
}
#endif
