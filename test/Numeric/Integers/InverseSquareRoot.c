// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast inverse square root: the integer guess is a piecewise linear
// function of x, and is differentiated as one.
#include "check.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

float fast(float x) {
  float half = 0.5f * x, y = x;
  int32_t i;
  memcpy(&i, &y, 4);
  i = 0x5f3759df - (i >> 1);
  memcpy(&y, &i, 4);
  y = y * (1.5f - half * y * y);
  return y;
}
// g' = -1/2 ulp(g) / ulp(x)
static double d(double x) {
  float f = (float)x, g;
  int32_t i;
  memcpy(&i, &f, 4);
  i = 0x5f3759df - (i >> 1);
  memcpy(&g, &i, 4);
  double slope = -0.5 * exp2(ilogbf(g) - ilogbf(f));
  return -0.5 * (double)g * g * g + 1.5 * (1 - x * g * g) * slope;
}
ADZE_TEST_SCALAR1_T(float, fast, ADZE_AT(0.7, 2.0, 9.0), .derivative = d,
                    .flags = ADZE_NO_DIFFERENCES)
