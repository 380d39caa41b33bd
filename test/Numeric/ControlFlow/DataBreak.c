// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three functions change one array in turn; then a sum that stops on the data.
#include "check.h"

static void scale(double *a, int n) {
  for (int i = 0; i < n; ++i)
    a[i] *= 1 + 0.1 * i * a[i];
}
static void smooth(double *a, int n) {
  for (int i = 1; i < n; ++i)
    a[i] = 0.5 * (a[i] + a[i - 1] * a[i]);
}
static void shift(double *a, int n) {
  for (int i = 0; i + 1 < n; ++i)
    a[i] += a[i + 1] * a[i + 1];
}

void chain(const double *x, double *y) {
  double a[6];
  for (int i = 0; i < 6; ++i)
    a[i] = x[i];
  scale(a, 6);
  smooth(a, 6);
  shift(a, 6);
  double s = 0;
  for (int i = 0; i < 6; ++i) {
    s += a[i] * a[i];
    if (s > 2)
      break;
  }
  *y = s;
}

ADZE_TEST_MAP(chain, 6, 1,
              ADZE_AT(0.5, 0.9, 1.2, 0.4, 0.3, 0.8, 0.1, 0.2, 0.3, 0.2, 0.1, 0.4))
