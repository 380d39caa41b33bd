// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Duff's device: a switch into the middle of a loop.
#include "check.h"

static double duff(const double *x, int n) {
  double s = 1;
  int rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      s = s * *x++ + 1;
      /* fall through */
    case 3:
      s = s * *x++ + 2;
      /* fall through */
    case 2:
      s = s * *x++ + 3;
      /* fall through */
    case 1:
      s = s * *x++ + 4;
    } while (--rounds > 0);
  }
  return s;
}

void lengths(const double *x, double *y) {
  for (int n = 1; n <= 8; ++n)
    y[n - 1] = duff(x, n);
}

ADZE_TEST_MAP(lengths, 8, 8, ADZE_AT(0.6, -0.5, 0.9, 0.4, 0.3, -0.8, 0.7, 1.1))
