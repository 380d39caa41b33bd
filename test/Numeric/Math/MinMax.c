// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmin, fmax, fdim away from ties.
#include "functions.h"

ADZE_TEST_ALL2(fmin, ADZE_AT(0.5, 2.0, 2.0, -0.5))
ADZE_TEST_ALL2(fmax, ADZE_AT(0.5, 2.0, 2.0, -0.5))
ADZE_TEST_ALL2(fdim, ADZE_AT(0.5, 2.0, 2.0, -0.5))
