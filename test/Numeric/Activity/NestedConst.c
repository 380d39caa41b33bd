// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An argument that is const for the inner marker is copied to a local array and read at an
// index known only at run time. It is active for the outer one, whichever modes they have.
// ADZE: vectorized
#include "check.h"
#include <math.h>

static double f(const double *x, const double *w, const int *index) {
  double local[3];
  for (int i = 0; i < 3; ++i)
    local[i] = w[i];
  double s = 0;
  for (int i = 0; i < 3; ++i)
    s += local[index[i]] * sin(x[i]);
  return s;
}
static const int index3[3] = {2, 0, 1};
static const double x0[3] = {0.3, 0.7, -0.4}, w0[3] = {2, 3, 5};

#if ADZE_FORWARD || ADZE_REVERSE
double __enzyme_fwddiff_inner(void *, ...);
void __enzyme_autodiff_inner(void *, ...);
static double slope(const double *x, const double *w, const double *v, const int *index) {
  return __enzyme_fwddiff_inner((void *)f, enzyme_dup, x, v, enzyme_const, w, enzyme_const,
                                index);
}
static void gradient(const double *x, const double *w, const int *index, double *g) {
  g[0] = g[1] = g[2] = 0;
  __enzyme_autodiff_inner((void *)f, enzyme_dup, x, g, enzyme_const, w, enzyme_const, index);
}
#endif
#if ADZE_REVERSE
void __enzyme_autodiff_outer(void *, ...);
ADZE_TEST_REVERSE(reverse_over_forward) {
  double v[3] = {1, 2, 3}, dx[3] = {0, 0, 0}, dw[3] = {0, 0, 0};
  __enzyme_autodiff_outer((void *)slope, enzyme_dup, x0, dx, enzyme_dup, w0, dw, enzyme_const,
                          v, enzyme_const, index3);
  for (int i = 0; i < 3; ++i) {
    adze_near("dx", dx[i], -w0[index3[i]] * sin(x0[i]) * v[i], 1e-14);
    adze_near("dw", dw[index3[i]], cos(x0[i]) * v[i], 1e-14);
  }
}
#endif
#if ADZE_FORWARD
void __enzyme_fwddiff_outer(void *, ...);
double __enzyme_fwddiff_scalar(void *, ...);
ADZE_TEST_FORWARD(forward_over_reverse) {
  double v[3] = {1, 2, 3}, u[3] = {-1, 4, 0.5}, g[3], dg[3];
  __enzyme_fwddiff_outer((void *)gradient, enzyme_dup, x0, v, enzyme_dup, w0, u, enzyme_const,
                         index3, enzyme_dup, g, dg);
  for (int i = 0; i < 3; ++i) {
    int k = index3[i];
    adze_near("g", g[i], w0[k] * cos(x0[i]), 1e-14);
    adze_near("dg", dg[i], u[k] * cos(x0[i]) - w0[k] * sin(x0[i]) * v[i], 1e-14);
  }
}
ADZE_TEST_FORWARD(forward_over_forward) {
  double v[3] = {1, 2, 3}, u[3] = {-1, 4, 0.5}, want = 0;
  double got = __enzyme_fwddiff_scalar((void *)slope, enzyme_const, x0, enzyme_dup, w0, u,
                                       enzyme_const, v, enzyme_const, index3);
  for (int i = 0; i < 3; ++i)
    want += u[index3[i]] * cos(x0[i]) * v[i];
  adze_near("slope", got, want, 1e-14);
}
#endif
