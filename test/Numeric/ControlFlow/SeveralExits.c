// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop with three exits that leave different values live.
#include "check.h"

void search(const double *x, double *y) {
  double s = 0, p = 1;
  int i = 0;
  while (i < 6) {
    s += x[i] * x[i];
    if (s > 4)
      goto large;
    p *= x[i];
    if (p < -1)
      break;
    ++i;
  }
  y[0] = s + p;
  y[1] = p * x[0];
  return;
large:
  y[0] = s * p;
  y[1] = s;
}

ADZE_TEST_MAP(search, 6, 2,
              ADZE_AT(0.5, 0.6, 0.7, 0.2, 0.3, 0.9, 1.0, 1.5, 1.2, 0.4, 1.1, 0.2, 1.0, -1.3,
                      1.0, 0.4, 1.1, 0.2))
