// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of an iteration that only compares has derivative 0 through the compares and
// the derivative of the last assignment through the values.
#include "check.h"

double bisect(double a, double b) {
  double lo = a, hi = b;
  for (int i = 0; i < 6; ++i) {
    double mid = 0.5 * (lo + hi);
    if (mid * mid < 2.1)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

ADZE_TEST_SCALAR2(bisect, ADZE_AT(0.5, 3.0), .step = 1e-4)
