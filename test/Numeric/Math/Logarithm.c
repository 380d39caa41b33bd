// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// log, log2, log10, log1p.
#include "functions.h"

ADZE_TEST_ALL1(log, ADZE_AT(0.5, 20.0), .step = 1e-3)
ADZE_TEST_ALL1(log2, ADZE_AT(0.5, 20.0), .step = 1e-3)
ADZE_TEST_ALL1(log10, ADZE_AT(0.5, 20.0), .step = 1e-3)
ADZE_TEST_ALL1(log1p, ADZE_AT(0.0, 0.5, 20.0, -0.75), .step = 1e-3)
