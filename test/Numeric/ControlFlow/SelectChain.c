// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditional expressions in a row; a select of selects.
#include "check.h"

double pick(double x, double y) {
  double a = x < y ? x : y;
  double b = a < 0 ? -a : a * x;
  double c = b > 1 ? b : (x > 0 ? y : x);
  return a * b + c;
}

ADZE_TEST_SCALAR2(pick, ADZE_AT(0.5, 2.0, -1.5, 0.5, 3.0, 2.0, -0.25, -0.5))
