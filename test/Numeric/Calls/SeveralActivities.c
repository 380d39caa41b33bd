// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function called with active and inactive arguments in every combination.
#include "check.h"
#include <math.h>

__attribute__((noinline)) static double mix(double a, double b, const double *p) {
  return a * exp(b * p[0]) + p[1] * b;
}

void activities(const double *x, double *y) {
  static const double fixed[2] = {0.5, 2.0};
  y[0] = mix(x[0], x[1], x);
  y[1] = mix(x[0], 1.5, fixed);
  y[2] = mix(2.5, x[1], fixed);
  y[3] = mix(2.5, 1.5, x);
  y[4] = mix(2.5, 1.5, fixed);
  y[5] = mix(x[1], x[1], fixed);
}

ADZE_TEST_MAP(activities, 2, 6, ADZE_AT(0.9, 1.3, -0.4, 0.2))
