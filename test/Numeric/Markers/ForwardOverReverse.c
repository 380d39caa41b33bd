// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second derivatives: the forward marker on a function that calls the reverse marker.
// ADZE: modes=forward
#include "check.h"
#include <math.h>

double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += sin(x[i]) * x[(i + 1) % n] * x[i];
  return s;
}

#if ADZE_FORWARD
extern void __enzyme_autodiff_inner(void *, ...);
extern void __enzyme_fwddiff_outer(void *, ...);
void gradient(const double *x, double *g) {
  for (int i = 0; i < 3; ++i)
    g[i] = 0;
  __enzyme_autodiff_inner((void *)f, enzyme_dup, x, g, enzyme_const, 3);
}
ADZE_TEST_FORWARD(hessian) {
  double x[3] = {0.3, 0.7, -0.4}, h[3][3];
  for (int j = 0; j < 3; ++j) {
    double v[3] = {0, 0, 0}, g[3];
    v[j] = 1;
    __enzyme_fwddiff_outer((void *)gradient, enzyme_dup, x, v, enzyme_dupnoneed, g, h[j]);
  }
  for (int i = 0; i < 3; ++i) {
    double d2 = (2 * cos(x[i]) - x[i] * sin(x[i])) * x[(i + 1) % 3];
    adze_near("diagonal", h[i][i], d2, 1e-13);
    double mixed = sin(x[i]) + x[i] * cos(x[i]);
    adze_near("mixed", h[i][(i + 1) % 3], mixed, 1e-13);
    adze_near("symmetry", h[(i + 1) % 3][i], h[i][(i + 1) % 3], 1e-13);
  }
}
#endif
