// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A while loop on integers finds the interval; the value is interpolated in it.
#include "check.h"

void table(const double *x, double *y) {
  static const double knots[] = {0, 0.5, 1.25, 2, 3.5, 5, 5.5, 8};
  static const double values[] = {1, 3, -2, 0.5, 4, 4.5, 1, 0};
  for (int k = 0; k < 4; ++k) {
    int lo = 0, hi = 7;
    while (hi - lo > 1) {
      int mid = (lo + hi) / 2;
      if (knots[mid] <= x[k])
        lo = mid;
      else
        hi = mid;
    }
    double t = (x[k] - knots[lo]) / (knots[hi] - knots[lo]);
    y[k] = values[lo] * (1 - t) + values[hi] * t * t;
  }
}

ADZE_TEST_MAP(table, 4, 4, ADZE_AT(0.2, 1.7, 4.0, 7.1))
