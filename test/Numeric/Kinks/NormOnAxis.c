// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A Euclidean norm at (1, 0, 0) has the gradient (1, 0, 0).
#include "check.h"
#include <math.h>

double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return sqrt(s);
}
double byHypot(const double *x, int n) { return hypot(x[0], hypot(x[1], x[n - 1])); }
static const double unit[] = {1, 0, 0};
ADZE_TEST_ARRAY(norm, 3, ADZE_AT(1.0, 0.0, 0.0), .expected = unit)
ADZE_TEST_ARRAY(byHypot, 3, ADZE_AT(1.0, 0.0, 0.0), .expected = unit,
                .flags = ADZE_NO_DIFFERENCES)
