// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chain of 400 cosines.
#include "check.h"
#include <math.h>

double chain(double x) {
  for (int i = 0; i < 400; ++i)
    x = cos(x * (1 + 0.001 * (i % 5)));
  return x;
}
static double d(double x) {
  double r = 1;
  for (int i = 0; i < 400; ++i) {
    double c = 1 + 0.001 * (i % 5);
    r *= -sin(x * c) * c;
    x = cos(x * c);
  }
  return r;
}
ADZE_TEST_SCALAR1(chain, ADZE_AT(0.3, 2.0), .derivative = d, .flags = ADZE_NO_DIFFERENCES)
