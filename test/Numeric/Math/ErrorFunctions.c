// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erf and erfc.
#include "functions.h"

ADZE_TEST_ALL1(erf, ADZE_AT(0.0, 0.5, -2.5))
ADZE_TEST_ALL1(erfc, ADZE_AT(0.0, 0.5, -2.5))
static double derfc(double x) { return -2 / sqrt(3.14159265358979323846) * exp(-x * x); }
double tail(double x) { return erfc(x); }
ADZE_TEST_SCALAR1(tail, ADZE_AT(5.0, 9.0), .derivative = derfc, .exact = 1e-10)
