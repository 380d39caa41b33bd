// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops side by side inside a loop, each with its own kept values.
#include "check.h"
#include <math.h>

double siblings(const double *x, int n) {
  double s = 0.5;
  for (int t = 0; t < 3; ++t) {
    double a = s, b = 1;
    for (int i = 0; i < n; ++i)
      a = sin(a) + x[i];
    for (int i = 0; i < t + 1; ++i)
      b = b * a - x[i % n];
    for (int i = 0; i < 2; ++i)
      s += 0.2 * a * b * s;
  }
  return s;
}

ADZE_TEST_ARRAY(siblings, 3, ADZE_AT(0.3, -0.2, 0.4))
