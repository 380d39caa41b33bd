// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow in all variants, with constant base and constant exponent.
#include "functions.h"

ADZE_TEST_ALL2(pow, ADZE_AT(2.0, 3.0, 0.5, -1.5, 3.0, 0.0, 1.0, 2.5))
double cube(double x) { return pow(x, 3.0); }
double root(double x) { return pow(x, 0.5); }
double inverse(double x) { return pow(x, -1.0); }
double negative(double x) { return pow(-x, 3.0) + pow(x, 2.0); }
double base(double x) { return pow(1.7, x); }
ADZE_TEST_SCALAR1(cube, ADZE_AT(2.0, -1.5))
ADZE_TEST_SCALAR1(root, ADZE_AT(2.0, 0.25))
ADZE_TEST_SCALAR1(inverse, ADZE_AT(2.0, -0.25))
ADZE_TEST_SCALAR1(negative, ADZE_AT(2.0, -0.25))
ADZE_TEST_SCALAR1(base, ADZE_AT(2.0, -0.25))
