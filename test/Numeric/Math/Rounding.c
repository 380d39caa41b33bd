// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ceil, floor, trunc, round, rint, nearbyint and the integer ones are steps.
#include "functions.h"

#define STEP(f)                                                                          \
  double times_##f(double x) { return x * (double)f(x * 1.5) + f(x); }                   \
  static double d_##f(double x) { return (double)f(x * 1.5); }                           \
  ADZE_TEST_SCALAR1(times_##f, ADZE_AT(2.3, -1.8), .derivative = d_##f)

STEP(ceil)
STEP(floor)
STEP(trunc)
STEP(round)
STEP(rint)
STEP(nearbyint)
STEP(lround)
STEP(llround)
STEP(lrint)
STEP(llrint)
