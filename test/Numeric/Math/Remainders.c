// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmod, remainder, drem and the % of two active values.
#include "functions.h"

ADZE_TEST_ALL2(fmod, ADZE_AT(7.3, 2.0, -7.3, 2.0, 7.3, -3.5, 0.5, 3.0))
ADZE_TEST_ALL2(remainder, ADZE_AT(7.3, 2.0, -7.4, 2.0, 7.3, -3.4, 0.5, 3.0))
