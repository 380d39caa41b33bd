// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fabs, copysign, signbit and negation.
#include "functions.h"

ADZE_TEST_ALL1(fabs, ADZE_AT(0.5, -2.0))
ADZE_TEST_ALL2(copysign, ADZE_AT(0.5, 2.0, 2.0, -0.5, -2.0, 0.5, -1.0, -1.0))
double signs(double x) { return (signbit(x) ? -x * x : x) - -x; }
ADZE_TEST_SCALAR1(signs, ADZE_AT(0.5, -2.0))
