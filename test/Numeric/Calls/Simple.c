// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static function called twice with different arguments.
#include "check.h"

static double square(double x) { return x * x; }
static double blend(double a, double b, double t) { return a + t * (b - a); }

double calls(double x, double y) { return blend(square(x), square(y + 1), x * y); }

ADZE_TEST_SCALAR2(calls, ADZE_AT(0.9, 1.8, -0.7, 0.5))
