// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exponent read from the bits and used as a scale: a step function times an active one.
#include "check.h"
#include <stdint.h>
#include <string.h>

double scaled(double x) {
  uint64_t b;
  memcpy(&b, &x, 8);
  int e = (int)((b >> 52) & 0x7ff) - 1023;
  return x * x * (e + 3);
}

ADZE_TEST_SCALAR1(scaled, ADZE_AT(1.3, 5.0, 0.3))
