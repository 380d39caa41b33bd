// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fast inverse square root: the integer guess has no derivative of its own, the Newton
// steps do; so what is differentiated is x only where it stands as a number. A compiler may
// also say that it does not know what arithmetic on the bits means.
// ADZE: may-refuse
#include "check.h"
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
// With the guess g fixed: d/dx of g * (1.5 - 0.5 * x * g * g).
static double d(double x) {
  float f = (float)x, g;
  int32_t i;
  memcpy(&i, &f, 4);
  i = 0x5f3759df - (i >> 1);
  memcpy(&g, &i, 4);
  return -0.5 * (double)g * g * g;
}
ADZE_TEST_SCALAR1_T(float, fast, ADZE_AT(0.7, 2.0, 9.0), .derivative = d,
                    .flags = ADZE_NO_DIFFERENCES)
