// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// logb and ilogb are steps: no derivative through them, the primal right.
#include "check.h"
#include <math.h>

double product(double x) { return x * logb(x) + ilogb(x) * x * x; }
static double d(double x) { return logb(x) + 2 * ilogb(x) * x; }
ADZE_TEST_SCALAR1(product, ADZE_AT(1.5, 5.0, 0.3), .derivative = d)
