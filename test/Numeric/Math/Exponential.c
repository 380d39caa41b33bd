// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, exp2, expm1 and exp of large and small arguments.
#include "functions.h"

ADZE_TEST_ALL1(exp, ADZE_AT(0.0, 1.5, -20.0))
ADZE_TEST_ALL1(exp2, ADZE_AT(0.0, 1.5, -20.0))
ADZE_TEST_ALL1(expm1, ADZE_AT(0.0, 1.5, -20.0, 1e-9))
