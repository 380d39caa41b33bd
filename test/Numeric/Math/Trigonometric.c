// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin, cos, tan.
#include "check.h"
#include <math.h>

double sine(double x) { return sin(x); }
static double dsine(double x) { return cos(x); }
ADZE_TEST_SCALAR1(sine, ADZE_AT(0.0, 0.7, -2.5, 30.0), .derivative = dsine)

double cosine(double x) { return cos(x); }
static double dcosine(double x) { return -sin(x); }
ADZE_TEST_SCALAR1(cosine, ADZE_AT(0.0, 0.7, -2.5, 30.0), .derivative = dcosine)

double tangent(double x) { return tan(x); }
static double dtangent(double x) { return 1 / (cos(x) * cos(x)); }
ADZE_TEST_SCALAR1(tangent, ADZE_AT(0.0, 0.7, -1.2), .derivative = dtangent)
