// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// asinh, acosh, atanh.
#include "functions.h"

ADZE_TEST_ALL1(asinh, ADZE_AT(0.0, 0.5, -2.5))
ADZE_TEST_ALL1(acosh, ADZE_AT(1.5, 10.0))
ADZE_TEST_ALL1(atanh, ADZE_AT(0.0, 0.5, -0.75))
