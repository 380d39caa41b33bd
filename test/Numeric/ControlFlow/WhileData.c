// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of rounds depends on the data.
#include "check.h"

double halve(double x, double y) {
  double s = y;
  while (x * x > 0.5) {
    s = s * x + 1;
    x = 0.7 * x;
  }
  return s + x;
}

ADZE_TEST_SCALAR2(halve, ADZE_AT(3.0, 0.5, 0.1, 2.0, -9.0, 0.3))
