// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// asin, acos, atan.
#include "functions.h"

ADZE_TEST_ALL1(asin, ADZE_AT(0.0, 0.5, -0.75))
ADZE_TEST_ALL1(acos, ADZE_AT(0.0, 0.5, -0.75))
ADZE_TEST_ALL1(atan, ADZE_AT(0.0, 0.5, -20.0))
