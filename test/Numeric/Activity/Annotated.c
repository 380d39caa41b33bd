// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The front end's annotations: functions, parameters and variables.
#include "check.h"
#include <math.h>

#define INACTIVE __attribute__((annotate("enzyme_inactive")))

INACTIVE static double held(double x) { return x; }
static double weighted(double x, INACTIVE double w) { return w * x * x; }
static double summed(const double *x, INACTIVE const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += sin(x[i]) * w[i];
  return s;
}
INACTIVE double last = 2;

double f(double x) {
  double y = weighted(x, x) + held(x) * x;
  double r = y * last;
  return r;
}
static double d(double x) { return 4 * x * x + 2 * x; }
ADZE_TEST_SCALAR1(f, ADZE_AT(0.5, -1.5), .derivative = d, .flags = ADZE_NO_DIFFERENCES)

double g(const double *x, int n) { return summed(x, x, n) * x[0]; }
static void dg(const double *x, double *J) {
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    J[i] = cos(x[i]) * x[i] * x[0];
    s += sin(x[i]) * x[i];
  }
  J[0] += s;
}
ADZE_TEST_ARRAY(g, 3, ADZE_AT(0.5, -1.5, 0.3), .jacobian = dg, .flags = ADZE_NO_DIFFERENCES)

// As the function that is differentiated: no shadow follows.
#if ADZE_REVERSE
double __enzyme_autodiff_p(void *, ...);
ADZE_TEST_REVERSE(parameter) {
  double x[2] = {0.5, 1}, dx[2] = {0, 0}, w[2] = {2, 3};
  __enzyme_autodiff_p((void *)summed, x, dx, w, 2);
  adze_near("dx0", dx[0], 2 * cos(0.5), 1e-15);
  adze_near("dx1", dx[1], 3 * cos(1), 1e-15);
  adze_near("dx", __enzyme_autodiff_p((void *)weighted, 3.0, 5.0), 30, 0);
}
#endif
#if ADZE_FORWARD
double __enzyme_fwddiff_p(void *, ...);
ADZE_TEST_FORWARD(parameter) {
  double x[2] = {0.5, 1}, dx[2] = {1, 2}, w[2] = {2, 3};
  adze_near("d", __enzyme_fwddiff_p((void *)summed, x, dx, w, 2), 2 * cos(0.5) + 6 * cos(1),
            1e-15);
  adze_near("d", __enzyme_fwddiff_p((void *)weighted, 3.0, 2.0, 5.0), 60, 0);
}
#endif
