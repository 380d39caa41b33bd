// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that count down, in steps, by unsigned and by pointer.
#include "check.h"

void backwards(const double *x, double *y) {
  double s = 0.5;
  for (int i = 7; i >= 0; i -= 2)
    s = s * x[i] + x[i / 2];
  for (unsigned i = 8; i-- > 0;)
    s += x[i] * s * 0.1;
  for (const double *p = x + 8; p != x; --p)
    s -= p[-1] * p[-1];
  *y = s;
}

ADZE_TEST_MAP(backwards, 8, 1, ADZE_AT(0.1, 0.9, -0.4, 0.3, 0.6, -0.2, 0.8, 1.1))
