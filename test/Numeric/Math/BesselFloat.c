// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bessel functions of floats and long doubles.
// ADZE: flags=-D_GNU_SOURCE
#include "functions.h"

ADZE_TEST_FLOAT1(j0, ADZE_AT(0.5, 3.0))
ADZE_TEST_FLOAT1(y1, ADZE_AT(0.5, 3.0))
ADZE_TEST_LDOUBLE1(j1, ADZE_AT(0.5, 3.0))
ADZE_TEST_LDOUBLE1(y0, ADZE_AT(1.5, 3.0))
