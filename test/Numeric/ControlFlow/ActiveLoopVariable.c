// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// for (double t = a; t < b; t += h): the counter carries the derivative.
#include "check.h"

double integrate(double a, double h) {
  double s = 0;
  for (double t = a; t < 4; t += h)
    s += h / (t + a * a);
  return s;
}

ADZE_TEST_SCALAR2(integrate, ADZE_AT(1.05, 0.5, 0.3, 0.19))
