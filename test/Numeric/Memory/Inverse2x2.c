// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The inverse of a 2x2 matrix with a pivot branch, in a loop of 1, 2 and 3 trips.
#include "check.h"
#include <math.h>

static void inverse(double *m) {
  double a = m[0], b = m[1], c = m[2], d = m[3];
  if (fabs(a) >= fabs(c)) {
    double f = c / a, s = d - f * b;
    m[3] = 1 / s;
    m[2] = -f / s;
    m[1] = -b / (a * s);
    m[0] = 1 / a + b * f / (a * s);
  } else {
    double f = a / c, s = b - f * d;
    m[2] = 1 / s;
    m[3] = -f / s;
    double t2 = m[2], t3 = m[3];
    m[0] = -d * t2 / c;
    m[1] = 1 / c - d * t3 / c;
    m[2] = t2;
    m[3] = t3;
  }
}

static void repeat(const double *x, double *y, int trips) {
  double m[4];
  for (int i = 0; i < 4; ++i)
    m[i] = x[i];
  for (int t = 0; t < trips; ++t) {
    inverse(m);
    m[0] += x[1];
    m[3] *= x[0];
  }
  for (int i = 0; i < 4; ++i)
    y[i] = m[i];
}

void one(const double *x, double *y) { repeat(x, y, 1); }
void two(const double *x, double *y) { repeat(x, y, 2); }
void three(const double *x, double *y) { repeat(x, y, 3); }
#define POINTS ADZE_AT(2.0, 0.5, -0.3, 1.5, 0.4, 1.2, -1.7, 0.8)
ADZE_TEST_MAP(one, 4, 4, POINTS)
ADZE_TEST_MAP(two, 4, 4, POINTS)
ADZE_TEST_MAP(three, 4, 4, POINTS)
