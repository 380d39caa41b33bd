// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Phis that exchange values: (a, b, c) = (b, c, f(a, b)).
#include "check.h"

double rotate(double a, double b) {
  double c = 1;
  for (int i = 0; i < 9; ++i) {
    double t = a * b - 0.1 * c;
    a = b;
    b = c;
    c = t;
  }
  return a + 2 * b - c;
}

ADZE_TEST_SCALAR2(rotate, ADZE_AT(0.9, 1.1, -0.5, 0.7))
