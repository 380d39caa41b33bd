// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Empty loops and bodies, an empty increment, nullptr arguments, a zero-length array.
#include "check.h"
#include <assert.h>
#include <stddef.h>

static void empty(const double *x) { (void)x; }
static double optional(const double *x, const double *w, int n) {
  double s = 0;
  for (int i = 0; i < n;) {
    s += x[i] * (w ? w[i] : 1);
    ++i;
  }
  for (int i = 0; i < n; ++i)
    ;
  return s;
}

void empties(const double *x, double *y) {
  empty(x);
  assert(x != NULL);
  y[0] = optional(x, NULL, 3) * x[0];
  y[1] = optional(x, x, 3);
  y[2] = optional(NULL, NULL, 0);
}

ADZE_TEST_MAP(empties, 3, 3, ADZE_AT(0.5, 0.7, -0.4))
