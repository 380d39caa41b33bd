// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmax and fmin at a tie with a constant: the variable has the derivative, in whichever order
// the two are written and the optimizer leaves them.
#include "check.h"
#include <math.h>

static const double one[] = {1};
double above(double x) { return fmax(0.0, x); }
double aboveToo(double x) { return fmax(x, 0.0); }
double below(double x) { return fmin(0.0, x); }
double belowToo(double x) { return fmin(x, 0.0); }
ADZE_TEST_SCALAR1(above, ADZE_AT(0.0), .expected = one, .flags = ADZE_NO_DIFFERENCES)
ADZE_TEST_SCALAR1(aboveToo, ADZE_AT(0.0), .expected = one, .flags = ADZE_NO_DIFFERENCES)
ADZE_TEST_SCALAR1(below, ADZE_AT(0.0), .expected = one, .flags = ADZE_NO_DIFFERENCES)
ADZE_TEST_SCALAR1(belowToo, ADZE_AT(0.0), .expected = one, .flags = ADZE_NO_DIFFERENCES)
