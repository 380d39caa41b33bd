// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin, cos, tan as float, double and long double.
#include "functions.h"

ADZE_TEST_ALL1(sin, ADZE_AT(0.5, -2.5))
ADZE_TEST_ALL1(cos, ADZE_AT(0.5, -2.5))
ADZE_TEST_ALL1(tan, ADZE_AT(0.5, -1.25))
