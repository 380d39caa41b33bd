// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases that fall into one another.
#include "check.h"

static double run(double x, int from) {
  double r = 1;
  switch (from) {
  case 3:
    r *= x;
    /* fall through */
  case 2:
    r += x * x;
    /* fall through */
  case 1:
    r *= r;
    break;
  case 0:
    r = -x;
  }
  return r;
}

void all(const double *x, double *y) {
  for (int i = 0; i < 5; ++i)
    y[i] = run(*x, i);
}

ADZE_TEST_MAP(all, 1, 5, ADZE_AT(1.5, -0.25))
