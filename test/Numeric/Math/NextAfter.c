// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The neighbour of a float: the same value but for a step that is constant nearby.
#include "functions.h"

double next(double x, double y) { return nextafter(x, 10.0) * y + nexttoward(y, 0.0L); }
ADZE_TEST_SCALAR2(next, ADZE_AT(0.7, 2.3))
float nextf(float x) { return nextafterf(x, 2.0f) * x; }
static double d(double x) { return 2 * x; }
ADZE_TEST_SCALAR1_T(float, nextf, ADZE_AT(0.75, -2.25), .derivative = d)
