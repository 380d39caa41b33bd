// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trip count converted from an active number: the count itself has no derivative.
#include "check.h"

double floors(double x) {
  int n = (int)(x * 3);
  double s = 1;
  for (int i = 0; i < n; ++i)
    s = s * 0.5 + x;
  return s;
}

ADZE_TEST_SCALAR1(floors, ADZE_AT(1.5, 3.2, 0.1))
