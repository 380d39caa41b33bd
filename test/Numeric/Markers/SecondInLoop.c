// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: modes=forward vectorized
// Second derivatives of a product that a loop repeats: the tangent of exp(-q)
// is exp(-q) times -dq, which stands before the loop and is used in each round.
#include "check.h"
#include <math.h>

void f(double *y, const double *x, int n) {
  double p = x[0] * x[1];
  for (int i = 0; i < n; ++i)
    y[i] = 0.5 * y[i] + exp(-1 - p);
}

#if ADZE_FORWARD
extern void __enzyme_fwddiff_inner(void *, ...);
extern void __enzyme_autodiff_inner(void *, ...);
extern void __enzyme_autodiff_outer(void *, ...);
extern void __enzyme_fwddiff_outer(void *, ...);

enum { N = 64 };

// The sum of the tangents of y along x[0].
double along(const double *x) {
  double y[N] = {0}, dy[N] = {0}, dx[2] = {1, 0}, s = 0;
  __enzyme_fwddiff_inner((void *)f, enzyme_dup, y, dy, enzyme_dup, x, dx,
                         enzyme_const, N);
  for (int i = 0; i < N; ++i)
    s += dy[i];
  return s;
}
// The same from the gradient.
double component(const double *x) {
  double y[N] = {0}, dy[N], dx[2] = {0};
  for (int i = 0; i < N; ++i)
    dy[i] = 1;
  __enzyme_autodiff_inner((void *)f, enzyme_dup, y, dy, enzyme_dup, x, dx,
                          enzyme_const, N);
  return dx[0];
}
#endif

ADZE_TEST_FORWARD(second) {
  double x[2] = {0.8, 0.3}, e = exp(-1 - x[0] * x[1]);
  // d/dx0 of the sum: -N x1 e; along x0 again, and along x1
  double xx = N * x[1] * x[1] * e, xy = N * (x[0] * x[1] - 1) * e;
  double by[2] = {0}, of[2] = {0};
  __enzyme_autodiff_outer((void *)along, enzyme_dup, x, by);
  __enzyme_autodiff_outer((void *)component, enzyme_dup, x, of);
  adze_near("reverse over forward, xx", by[0], xx, 1e-13);
  adze_near("reverse over forward, xy", by[1], xy, 1e-13);
  adze_near("reverse over reverse, xx", of[0], xx, 1e-13);
  adze_near("reverse over reverse, xy", of[1], xy, 1e-13);
}
