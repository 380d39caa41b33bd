// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward over reverse of a float loop with pow, atan2 and acosh.
// ADZE: modes=forward vectorized
#include "check.h"
#include <math.h>

float f(const float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += powf(x[i], 3) * atan2f(x[i], 2.0f) + acoshf(x[i] + 1.5f);
  return s;
}
static double second(double x) {
  double h = 1e-4;
  double v[3];
  for (int i = 0; i < 3; ++i) {
    double t = x + (i - 1) * h;
    v[i] = pow(t, 3) * atan2(t, 2.0) + acosh(t + 1.5);
  }
  return (v[0] - 2 * v[1] + v[2]) / (h * h);
}

#if ADZE_FORWARD
extern void __enzyme_autodiff_inner(void *, ...);
extern void __enzyme_fwddiff_outer(void *, ...);
void gradient(const float *x, float *g) {
  for (int i = 0; i < 4; ++i)
    g[i] = 0;
  __enzyme_autodiff_inner((void *)f, enzyme_dup, x, g, enzyme_const, 4);
}
ADZE_TEST_FORWARD(diagonal) {
  float x[4] = {0.5f, 0.75f, 1.0f, 1.25f}, v[4] = {1, 1, 1, 1}, g[4], h[4];
  __enzyme_fwddiff_outer((void *)gradient, enzyme_dup, x, v, enzyme_dupnoneed, g, h);
  for (int i = 0; i < 4; ++i)
    adze_near("second derivative", h[i], second(x[i]), 1e-4);
}
#endif
