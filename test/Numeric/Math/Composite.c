// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A few formulas that use many functions at once.
#include "functions.h"

double blackScholes(double s, double sigma, double r) {
  double k = 95, t = 0.75;
  double d1 = (log(s / k) + (r + 0.5 * sigma * sigma) * t) / (sigma * sqrt(t));
  double d2 = d1 - sigma * sqrt(t);
  return 0.5 * s * erfc(-d1 * M_SQRT1_2) - k * exp(-r * t) * 0.5 * erfc(-d2 * M_SQRT1_2);
}
ADZE_TEST_SCALAR3(blackScholes, ADZE_AT(100.0, 0.25, 0.03), .step = 1e-4)

double haversine(const double *p, int n) {
  double dl = p[n - 1] - p[1], df = p[2] - p[0];
  double a = sin(df / 2) * sin(df / 2) + cos(p[0]) * cos(p[2]) * sin(dl / 2) * sin(dl / 2);
  return 2 * atan2(sqrt(a), sqrt(1 - a));
}
ADZE_TEST_ARRAY(haversine, 4, ADZE_AT(0.8, 0.1, 0.9, 0.4))
