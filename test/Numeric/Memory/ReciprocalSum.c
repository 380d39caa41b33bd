// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 1/(x + a*a) summed in a loop that also changes a.
#include "check.h"

double sum(double x, double a) {
  double s = 0;
  for (int i = 0; i < 10; ++i) {
    s += 1 / (x + a * a);
    a = a * 0.8 + s * 0.1;
  }
  return s;
}

ADZE_TEST_SCALAR2(sum, ADZE_AT(1.5, 0.7, 0.3, -2.0))
