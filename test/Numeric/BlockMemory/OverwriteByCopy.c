// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is needed later is overwritten by a copy inside a loop.
#include "check.h"
#include <string.h>

void shuffle(double *a) {
  double t[4];
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 4; ++i)
      t[i] = a[i] * a[(i + 1) % 4] + 0.5;
    memcpy(a, t, sizeof t);
    memcpy(t, a + 1, 2 * sizeof *t);
    a[0] += t[0] * t[1];
  }
}

ADZE_TEST_INPLACE(shuffle, 4, ADZE_AT(0.9, 1.1, -0.7, 0.4))
