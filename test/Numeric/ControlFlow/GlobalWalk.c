// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that walk through a global array by pointers: their counts are computed
// from addresses that are constants.
#include "check.h"

static double table[16] = {-0.4, -0.3, -0.2, -0.1, 0.1, 0.2, 0.3, 0.4,
                           0.5,  0.6,  0.7,  0.8,  0.9, 1.0, 1.1, 1.2};

double down(double x) {
  double s = 0.2;
  for (int k = 0; k < 7; k++)
    for (const double *p = table + k; p > table + 1; p--)
      s += *p * x * s + x;
  return s;
}
ADZE_TEST_SCALAR1(down, ADZE_AT(0.3, -0.7))

double up(double x) {
  double s = 0.2;
  for (int k = 0; k < 7; k++)
    for (const double *p = table + k; p < table + 9; p += 2)
      s = 0.5 * s * x + *p * x * x;
  return s;
}
ADZE_TEST_SCALAR1(up, ADZE_AT(0.3, -0.7))
