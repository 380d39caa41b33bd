// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same for float and long double.
#include "check.h"
#include <math.h>

float stepf(float x) { return x * (floorf(x) + ceilf(x) * truncf(x)) + x * rintf(x) * roundf(x); }
static double d(double x) { return floor(x) + ceil(x) * trunc(x) + rint(x) * round(x); }
ADZE_TEST_SCALAR1_T(float, stepf, ADZE_AT(2.25, -1.75), .derivative = d)

ldouble stepl(ldouble x) { return x * (floorl(x) + ceill(x) * truncl(x)) + x * rintl(x) * roundl(x); }
ADZE_TEST_SCALAR1_T(ldouble, stepl, ADZE_AT(2.25, -1.75), .derivative = d)
