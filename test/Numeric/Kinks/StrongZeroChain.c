// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: modes=reverse
// Infinite partials and zero adjoints in some iterations of a recurrence, whose
// products share a test.
#include "check.h"
#include <math.h>

// The factors are 1 + weight^2 * sqrt(value) + weight^3 * sqrt(value): the
// weights are the second half of x.
double grown(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n / 2; ++i) {
    double w = x[n / 2 + i], root = w * sqrt(x[i]);
    s = s * (1 + w * root + w * w * root);
  }
  return s;
}
static void d(const double *x, double *j) {
  double s = grown(x, 8);
  for (int i = 0; i < 4; ++i) {
    double root = sqrt(x[i]), w = x[4 + i], v = w * w * (1 + w);
    double rest = s / (1 + v * root);
    j[i] = w == 0 ? 0 : rest * v * 0.5 / root;
    j[4 + i] = rest * root * w * (2 + 3 * w);
  }
}
ADZE_TEST_ARRAY(grown, 8,
                ADZE_AT(0.0, 1.0, 4.0, 2.25, 0.0, 0.5, 0.0,
                        1.0, // infinite first
                        4.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0,
                        0.0, // in the middle, and last
                        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), // always
                .jacobian = d, .flags = ADZE_NO_DIFFERENCES)
