// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions to and from integers cut the derivative; counts and indices stay exact.
#include "check.h"

double parts(double x, double y) {
  int whole = (int)x;
  unsigned u = (unsigned)(y * 3);
  long long l = (long long)(x * y);
  double frac = x - whole;
  return frac * y + (double)u * x + (double)l * y + (float)whole;
}

ADZE_TEST_SCALAR2(parts, ADZE_AT(2.3, 1.5, 7.6, 0.4, -1.3, 0.7))
