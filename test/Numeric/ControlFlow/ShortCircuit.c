// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// && and || with operands that must not be evaluated.
#include "check.h"
#include <stddef.h>

static double at(const double *p, double x) {
  if (p != NULL && *p > 0.5)
    return *p * x;
  if (p == NULL || x < 0)
    return x * x;
  return *p - x;
}

void all(const double *x, double *y) {
  y[0] = at(NULL, x[0]);
  y[1] = at(x, x[1]);
  y[2] = at(x + 1, x[0]);
  y[3] = at(x + 1, x[2]);
}

ADZE_TEST_MAP(all, 3, 4, ADZE_AT(0.9, 0.2, -1.5))
