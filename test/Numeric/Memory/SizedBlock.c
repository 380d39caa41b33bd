// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that has an array of a size that the run knows, in a block, goes
// back to where its stack ended. It has two versions, of which the one for
// arrays that overlap becomes a function of its own: there is no way back in
// that one.
#include "check.h"
#include <math.h>

__attribute__((noinline)) static double scaled(const double *x, double *y,
                                               int n, double a, double b,
                                               double c, double d, double e) {
  double s = 0;
  {
    double l[n];
    for (int i = 0; i < n; ++i)
      l[i] = sin(x[i] * a);
    for (int i = 0; i < n; ++i)
      y[i] = y[i] * x[i] * x[i] + l[n - 1 - i];
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * x[i] * b + sin(c * y[i]) * cos(d * x[i]) * e;
  return s * a;
}
double sized(const double *x, int n) {
  double a[32];
  for (int i = 0; i < 32; ++i)
    a[i] = x[i % n] * (1 + 0.0625 * i);
  double s = scaled(a, a + 2, n, x[0], x[1], x[2], x[3], x[4]) +
             scaled(a, a + 16, n, x[0], x[1], x[2], x[3], x[4]);
  for (int i = 0; i < 32; ++i)
    s += a[i] * a[i];
  return s;
}
ADZE_TEST_ARRAY(sized, 7, ADZE_AT(0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9))
