// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A x with A = 2I in both modes: with x = e1 as direction the tangent is 2 e1. All sizes from
// 1 to 8, fixed and known only when it runs, in the vectorized form with prologues too.
// ADZE: vectorized
#include "check.h"

static void multiply(const double *a, const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < n; ++j)
      s += a[n * i + j] * x[j];
    y[i] = s;
  }
}
static void all(const double *x, double *y) {
  double a[64];
  for (int n = 1; n <= 8; ++n) {
    for (int i = 0; i < n * n; ++i)
      a[i] = i % (n + 1) == 0 ? 2 : 0;
    multiply(a, x, y, n);
    y += n;
  }
}
void fixed2(const double *x, double *y) {
  const double a[4] = {2, 0, 0, 2};
  multiply(a, x, y, 2);
}
static void twoI(const double *x, double *j) {
  (void)x;
  for (int i = 0; i < 36 * 8; ++i)
    j[i] = 0;
  double *row = j;
  for (int n = 1; n <= 8; ++n)
    for (int i = 0; i < n; ++i, row += 8)
      row[i] = 2;
}
static void two(const double *x, double *j) {
  (void)x;
  j[0] = j[3] = 2;
  j[1] = j[2] = 0;
}
ADZE_TEST_MAP(all, 8, 36, ADZE_AT(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0), .jacobian = twoI)
ADZE_TEST_MAP(fixed2, 2, 2, ADZE_AT(1.0, 2.0), .jacobian = two)
