// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selecting between two doubles with integer masks, without a branch.
#include "check.h"
#include <stdint.h>
#include <string.h>

double masked(double x, double y) {
  uint64_t a, b, m = (uint64_t)0 - (uint64_t)(x < y), r;
  memcpy(&a, &x, 8);
  memcpy(&b, &y, 8);
  r = (a & m) | (b & ~m);
  double v;
  memcpy(&v, &r, 8);
  return v * v;
}

ADZE_TEST_SCALAR2(masked, ADZE_AT(0.9, 1.3, 0.5, -0.7))
