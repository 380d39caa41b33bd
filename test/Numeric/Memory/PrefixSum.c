// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every element reads what the round before wrote.
#include "check.h"

void scan(double *a) {
  for (int i = 1; i < 8; ++i)
    a[i] += a[i - 1];
  for (int i = 1; i < 8; ++i)
    a[i] *= a[i - 1];
}

ADZE_TEST_INPLACE(scan, 8, ADZE_AT(0.5, 0.2, -0.4, 0.9, 0.3, -0.7, 0.6, 0.1))
