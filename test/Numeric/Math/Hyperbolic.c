// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinh, cosh, tanh.
#include "functions.h"

ADZE_TEST_ALL1(sinh, ADZE_AT(0.0, 0.5, -2.5))
ADZE_TEST_ALL1(cosh, ADZE_AT(0.0, 0.5, -2.5))
ADZE_TEST_ALL1(tanh, ADZE_AT(0.0, 0.5, -2.5))
