// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Full debug information: records that mention values, arrays of run-time size among them.
// ADZE: flags=-g
#include "check.h"

static double inner(const double *x, int n) {
  double a[n];
  double scale = x[0];
  for (int i = 0; i < n; ++i) {
    double t = x[i] * scale;
    a[i] = t * t;
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * a[n - 1 - i];
  return s;
}

double debugged(const double *x, int n) {
  double s = 0.5;
  for (int k = 1; k <= n; ++k) {
    double part = inner(x, k);
    if (part > 0.25)
      s *= part;
    else
      s += part;
  }
  return s;
}

ADZE_TEST_ARRAY(debugged, 4, ADZE_AT(0.9, 0.8, -0.7, 1.1))
