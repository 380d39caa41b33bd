// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A two-term recurrence that hands its values on, N = 1..20; at 0 every coefficient's
// derivative is 1, 0, -1, 0, 1 ...
#include "check.h"

static double clenshaw(const double *c, int n, double x) {
  double b1 = 0, b2 = 0;
  for (int i = n - 1; i >= 1; --i) {
    double t = 2 * x * b1 - b2 + c[i];
    b2 = b1;
    b1 = t;
  }
  return x * b1 - b2 + c[0];
}

double five(const double *c, int n) { return clenshaw(c, n, 0.0); }
static const double at0[] = {1, 0, -1, 0, 1};
ADZE_TEST_ARRAY(five, 5, ADZE_AT(0.3, 0.1, -0.7, 0.5, 0.2), .expected = at0)

void lengths(const double *c, double *y) {
  for (int n = 1; n <= 20; ++n)
    y[n - 1] = clenshaw(c, n, c[20]);
}
ADZE_TEST_MAP(lengths, 21, 20,
              ADZE_AT(1.0, -0.5, 0.3, 0.2, 0.1, 0.9, -0.8, 0.7, -0.6, 0.4, 0.35, 0.25, -0.15,
                      0.05, 0.45, 0.55, 0.65, -0.75, 0.85, 0.95, 0.0, 1.0, -0.5, 0.3, 0.2,
                      0.1, 0.9, -0.8, 0.7, -0.6, 0.4, 0.35, 0.25, -0.15, 0.05, 0.45, 0.55,
                      0.65, -0.75, 0.85, 0.95, 0.6))
