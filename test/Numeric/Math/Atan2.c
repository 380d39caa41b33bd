// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atan2 in all quadrants.
#include "functions.h"

ADZE_TEST_ALL2(atan2, ADZE_AT(0.5, 2.0, 0.5, -2.0, -0.5, 2.0, -0.5, -2.0, 0.0, 1.0, 1.0, 0.0))
