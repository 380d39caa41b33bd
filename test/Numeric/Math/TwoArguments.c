// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atan2, hypot, pow of two active arguments; fma of three.
#include "check.h"
#include <math.h>

double angle(double y, double x) { return atan2(y, x); }
ADZE_TEST_SCALAR2(angle, ADZE_AT(0.5, 2.0, -1.0, -2.0, 3.0, -0.5))

double length(double x, double y) { return hypot(x, y); }
ADZE_TEST_SCALAR2(length, ADZE_AT(3.0, 4.0, -1.0, 0.2))

double power(double x, double y) { return pow(x, y); }
ADZE_TEST_SCALAR2(power, ADZE_AT(2.0, 3.0, 0.5, -1.5, 3.0, 0.0))

double fused(double x, double y, double z) { return fma(x, y, z); }
static void dfused(const double *x, double *j) { j[0] = x[1], j[1] = x[0], j[2] = 1; }
ADZE_TEST_SCALAR3(fused, ADZE_AT(2.0, -3.0, 5.0), .jacobian = dfused)
