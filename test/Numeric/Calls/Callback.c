// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A quadrature routine that takes the integrand and its context.
#include "check.h"
#include <math.h>

typedef double (*integrand)(double t, const void *context);

static double quadrature(integrand f, const void *context, double a, double b) {
  double h = (b - a) / 8, s = 0.5 * (f(a, context) + f(b, context));
  for (int i = 1; i < 8; ++i)
    s += f(a + i * h, context);
  return s * h;
}
static double gauss(double t, const void *context) {
  const double *x = (const double *)context;
  return x[0] * exp(-x[1] * t * t);
}

void integral(const double *x, double *y) { *y = quadrature(gauss, x, x[2], 2 * x[0]); }

ADZE_TEST_MAP(integral, 3, 1, ADZE_AT(0.9, 1.3, -0.5))
