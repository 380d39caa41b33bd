// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bit tricks through a union: absolute value and sign by masks of integers.
#include "check.h"
#include <stdint.h>

union bits {
  double d;
  uint64_t u;
};
static double magnitude(double v) {
  union bits b;
  b.d = v;
  b.u &= 0x7fffffffffffffffULL;
  return b.d;
}
static double negated(double v) {
  union bits b;
  b.d = v;
  b.u ^= 0x8000000000000000ULL;
  return b.d;
}
static int isNegative(double v) {
  union bits b;
  b.d = v;
  return b.u >> 63;
}

void tricks(const double *x, double *y) {
  y[0] = magnitude(x[0]) * negated(x[1]) * (isNegative(x[2]) ? x[2] : 2);
}
ADZE_TEST_MAP(tricks, 3, 1, ADZE_AT(0.9, 1.1, -0.7, -0.4, 0.8, 0.6))
