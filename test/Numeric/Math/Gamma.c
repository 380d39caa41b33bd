// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tgamma and lgamma, also for negative arguments.
#include "functions.h"

ADZE_TEST_ALL1(tgamma, ADZE_AT(0.5, 4.5, -1.5))
ADZE_TEST_ALL1(lgamma, ADZE_AT(0.5, 4.5, 30.0, -1.5))
