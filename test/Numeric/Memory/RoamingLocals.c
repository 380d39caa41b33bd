// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local arrays that the reverse pass comes to by pointers: swapped ones, chosen ones, ones in a
// table. The function is called, so that its frame is gone by then.
#include "check.h"

#define CALLED __attribute__((noinline)) static

CALLED double swapped(const double *x, int steps) {
  double a[4], b[4], *p = a, *q = b;
  for (int i = 0; i < 4; ++i) {
    a[i] = x[i];
    b[i] = 0.5 * x[i] * x[i];
  }
  for (int t = 0; t < steps; ++t) {
    double *w = p;
    p = q;
    q = w;
  }
  double s = 0;
  for (int i = 0; i < 4; ++i)
    s += 0.3 * p[i] + q[i] * q[i];
  return s;
}

CALLED double chosen(const double *x, int which) {
  double a[3] = {x[0], x[1] * x[2], 0.5}, b[3] = {x[3], x[2], x[1]};
  double *p = which > 1 ? a : b;
  double s = 0;
  for (int i = 0; i < 3; ++i)
    s += p[i] * p[i] * p[(i + 1) % 3];
  return s;
}

CALLED double table(const double *x, const int *order) {
  double a[2] = {x[0] * x[1], x[1]}, b[2] = {x[2], x[3] * x[0]}, c[2] = {x[1], x[2]};
  double *of[3] = {a, b, c};
  double s = 1;
  for (int i = 0; i < 5; ++i)
    s = 0.5 * s * of[order[i]][i & 1] + of[order[i]][0] * of[order[4 - i]][1];
  return s;
}

void roaming(const double *x, double *y) {
  static const int order[5] = {0, 2, 1, 2, 0};
  y[0] = swapped(x, 3) + swapped(x, 2);
  y[1] = chosen(x, 1) * chosen(x, 2);
  y[2] = table(x, order) + chosen(x, 3);
}

ADZE_TEST_MAP(roaming, 4, 3, ADZE_AT(0.9, -0.8, 0.7, 1.6))
