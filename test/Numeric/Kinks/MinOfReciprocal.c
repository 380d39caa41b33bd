// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// min(1, 1/x) at 0: the value is 1 and does not depend on x.
#include "check.h"
#include <math.h>

static const double zero[] = {0};
double byFmin(double x) { return fmin(1.0, 1 / x); }
ADZE_TEST_SCALAR1(byFmin, ADZE_AT(0.0), .expected = zero, .flags = ADZE_NO_DIFFERENCES)
double bySelect(double x) {
  double r = 1 / x;
  return r < 1 ? r : 1;
}
ADZE_TEST_SCALAR1(bySelect, ADZE_AT(0.0), .expected = zero, .flags = ADZE_NO_DIFFERENCES)
