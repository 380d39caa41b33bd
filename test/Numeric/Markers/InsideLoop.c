// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradient descent: the marker in a loop whose input is what the gradient before it made.
#include "check.h"
#include <math.h>

double rosenbrock(const double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; ++i)
    s += 100 * (x[i + 1] - x[i] * x[i]) * (x[i + 1] - x[i] * x[i]) + (1 - x[i]) * (1 - x[i]);
  return s;
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_g(void *, ...);
ADZE_TEST_REVERSE(descent) {
  double x[4] = {0.5, 0.4, 0.3, 0.2}, z[4] = {0.5, 0.4, 0.3, 0.2};
  for (int step = 0; step < 300; ++step) {
    double g[4] = {0, 0, 0, 0}, h[4] = {0, 0, 0, 0};
    __enzyme_autodiff_g((void *)rosenbrock, enzyme_dup, x, g, enzyme_const, 4);
    for (int i = 0; i < 3; ++i) {
      double d = z[i + 1] - z[i] * z[i];
      h[i + 1] += 200 * d;
      h[i] -= 400 * d * z[i] + 2 * (1 - z[i]);
    }
    for (int i = 0; i < 4; ++i) {
      x[i] -= 1e-3 * g[i];
      z[i] -= 1e-3 * h[i];
    }
  }
  for (int i = 0; i < 4; ++i)
    adze_near("after 300 steps", x[i], z[i], 1e-11);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_g(void *, ...);
ADZE_TEST_FORWARD(slopes) {
  double x[4] = {1, 1, 1, 1};
  for (int i = 0; i < 4; ++i) {
    double v[4] = {0, 0, 0, 0};
    v[i] = 1;
    adze_near("slope at the minimum",
              __enzyme_fwddiff_g((void *)rosenbrock, enzyme_dup, x, v, enzyme_const, 4), 0, 0);
  }
}
#endif
