// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments and results that nobody uses, null pointers, an argument passed on unchanged.
#include "check.h"
#include <stddef.h>

__attribute__((noinline)) static double lazy(double x, double unused, const double *p,
                                             int n) {
  if (p == NULL)
    return x * n;
  return x * p[0];
}
__attribute__((noinline)) static double wrap(double x, double y, const double *p) {
  lazy(y, x, NULL, 3);
  return lazy(x, y, p, 2);
}

double lazies(double x, double y) { return wrap(x, y, NULL) * wrap(y, x, &x); }

ADZE_TEST_SCALAR2(lazies, ADZE_AT(0.9, 1.3, -2.0, 0.5))
