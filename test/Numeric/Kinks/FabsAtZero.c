// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// |x| at 0: some number between -1 and 1, the same in both modes.
// ADZE: no-fast
#include "check.h"
#include <math.h>

static const double zero[] = {0};
double absolute(double x) { return fabs(x); }
ADZE_TEST_SCALAR1(absolute, ADZE_AT(0.0), .expected = zero, .flags = ADZE_NO_DIFFERENCES)

// The branch that is taken says 1.
static const double one[] = {1};
double branch(double x) { return x < 0 ? -x : x; }
ADZE_TEST_SCALAR1(branch, ADZE_AT(0.0), .expected = one, .flags = ADZE_NO_DIFFERENCES)
