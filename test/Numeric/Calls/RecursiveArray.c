// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quicksort-like recursion over parts of an array that it changes.
#include "check.h"

static void halves(double *a, int n) {
  if (n < 2) {
    a[0] = a[0] * a[0] + 1;
    return;
  }
  int h = n / 2;
  halves(a, h);
  halves(a + h, n - h);
  for (int i = 0; i < h; ++i) {
    double t = a[i] * a[i + h];
    a[i + h] = a[i] - a[i + h];
    a[i] = 0.3 * t;
  }
}

void transform(double *a) { halves(a, 8); }
ADZE_TEST_INPLACE(transform, 8, ADZE_AT(0.9, 1.3, -0.4, 0.2, 0.6, -0.8, 0.5, 1.1))
