// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sixty real branches in a row, with calls in them so that none becomes a select.
// ADZE: compile-limit=30
#include "check.h"
#include <math.h>

#define STEP(c)                                                                          \
  if (r * (c % 7 + 1) > x + c % 5)                                                       \
    r = sin(r) + 0.1 * x;                                                                \
  else                                                                                   \
    r = exp(-r * r) * (1 + 0.1 * x);
#define TEN(c)                                                                           \
  STEP(c) STEP(c + 1) STEP(c + 2) STEP(c + 3) STEP(c + 4) STEP(c + 5) STEP(c + 6)        \
  STEP(c + 7) STEP(c + 8) STEP(c + 9)

double diamonds(double x, double r) {
  TEN(0) TEN(10) TEN(20) TEN(30) TEN(40) TEN(50)
  return r;
}

ADZE_TEST_SCALAR2(diamonds, ADZE_AT(0.7, 0.3, 2.0, 1.5), .step = 1e-5, .tolerance = 1e-5)
