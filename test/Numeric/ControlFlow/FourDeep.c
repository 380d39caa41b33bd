// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Four nested loops with values that live across all of them.
#include "check.h"

void deep(const double *x, double *y) {
  double s = x[0];
  for (int i = 0; i < 2; ++i) {
    double a = s * x[1];
    for (int j = 0; j < 3; ++j) {
      double b = a + s;
      for (int k = 0; k < 2; ++k) {
        double c = b * x[2] + 0.1 * j;
        for (int l = 0; l < 2; ++l)
          s = 0.5 * s + 0.1 * a * b * c - 0.01 * l;
      }
      a = a * 0.5 + b * s * 0.1;
    }
  }
  *y = s;
}

ADZE_TEST_MAP(deep, 3, 1, ADZE_AT(0.9, 0.8, 0.7))
