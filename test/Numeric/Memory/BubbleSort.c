// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exchange through memory under a condition.
#include "check.h"

void bubble(double *a) {
  for (int n = 5; n > 1; --n)
    for (int i = 0; i + 1 < n; ++i)
      if (a[i] > a[i + 1]) {
        double t = a[i];
        a[i] = a[i + 1] * 1.1;
        a[i + 1] = t * t;
      }
}

ADZE_TEST_INPLACE(bubble, 5, ADZE_AT(0.9, 0.2, 0.7, 0.1, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0))
