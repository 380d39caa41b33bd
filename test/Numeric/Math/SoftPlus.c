// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Softplus and log-sum-exp in their stable forms, from far left to far right.
#include "check.h"
#include <math.h>

double softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }
static double sigmoid(double x) {
  return x > 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}
ADZE_TEST_SCALAR1(softplus, ADZE_AT(-800.0, -40.0, -1.0, 0.5, 40.0, 800.0),
                  .derivative = sigmoid, .flags = ADZE_NO_DIFFERENCES)
double plain(double x) { return log(1 + exp(x)); }
ADZE_TEST_SCALAR1(plain, ADZE_AT(-8.0, -1.0, 0.5, 20.0), .derivative = sigmoid)

double logsumexp(const double *x, int n) {
  double m = x[0];
  for (int i = 1; i < n; ++i)
    if (x[i] > m)
      m = x[i];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += exp(x[i] - m);
  return m + log(s);
}
static void d(const double *x, double *j) {
  double s = 0;
  for (int i = 0; i < 4; ++i)
    s += exp(x[i] - x[2]);
  for (int i = 0; i < 4; ++i)
    j[i] = exp(x[i] - x[2]) / s;
}
ADZE_TEST_ARRAY(logsumexp, 4, ADZE_AT(1.0, -2.0, 3.5, 2.0, 999.0, 998.0, 1000.0, 900.0),
                .jacobian = d, .exact = 1e-10)
