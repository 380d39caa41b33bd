// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memmove in both directions: insert into and erase from an array.
#include "check.h"
#include <string.h>

static int insert(double *a, int n, int at, double v) {
  memmove(a + at + 1, a + at, (size_t)(n - at) * sizeof *a);
  a[at] = v;
  return n + 1;
}
static int erase(double *a, int n, int at) {
  memmove(a + at, a + at + 1, (size_t)(n - at - 1) * sizeof *a);
  return n - 1;
}

void edit(const double *x, double *y) {
  double a[8];
  int n = 5;
  memcpy(a, x, 5 * sizeof *a);
  n = insert(a, n, 1, x[0] * x[4]);
  n = erase(a, n, 3);
  n = insert(a, n, 0, a[2] * a[3]);
  n = insert(a, n, n, a[1]);
  n = erase(a, n, 0);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += a[i] * (i + 1);
    y[i] = a[i] * s;
  }
}

ADZE_TEST_MAP(edit, 5, 6, ADZE_AT(0.9, 1.1, -0.7, 0.4, 0.6))
