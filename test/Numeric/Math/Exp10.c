// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp10 and what the optimizer makes of pow(10, x) and pow(2, x).
// ADZE: flags=-D_GNU_SOURCE
#include "functions.h"

ADZE_TEST_CALL1(exp10, ADZE_AT(0.0, 1.5, -3.0))
double ten(double x) { return pow(10.0, x); }
double two(double x) { return pow(2.0, x); }
static double dten(double x) { return log(10.0) * pow(10.0, x); }
static double dtwo(double x) { return log(2.0) * pow(2.0, x); }
ADZE_TEST_SCALAR1(ten, ADZE_AT(0.0, 1.5, -3.0), .derivative = dten)
ADZE_TEST_SCALAR1(two, ADZE_AT(0.0, 1.5, -3.0), .derivative = dtwo)
float tenf(float x) { return powf(10.0f, x); }
ADZE_TEST_SCALAR1_T(float, tenf, ADZE_AT(0.0, 1.5, -3.0), .derivative = dten)
