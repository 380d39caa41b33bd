// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose count is a difference of unsigned numbers, behind ways that meet
// again, or behind a flag: where they are not entered, the difference has
// wrapped around and must not size a tape.
#include "check.h"
#include <math.h>

// Of the three ways two lead to the loop.
static double ways(double *x, unsigned n, int steps) {
  double s = 0;
  for (int t = 0; t < steps; t++) {
    if (n > 5) {
      x[1] *= x[0];
    } else if (n > 4) {
      x[2] *= x[1];
    } else {
      x[3] *= x[0];
      continue;
    }
    for (unsigned i = 0; i < n - 4; i++)
      x[i] = sin(x[i]) * x[i + 1];
  }
  for (int i = 0; i < 8; i++)
    s += x[i];
  return s;
}

// The loops are turned around, and the outer one runs twice: the first inner
// loop becomes a way to the second.
__attribute__((noinline)) static double twice(double *a, double *b,
                                              unsigned n) {
  double s = 0;
  for (int t = 0; t < 2; t++) {
    for (int i = 1; i + 3 < n; i++)
      a[i] = 0.4 * (a[i] * a[i] + b[i - 1] * a[i + 1]);
    for (int k = 0; k < 3; k++) {
      s = 0.5 * s + b[1];
      for (int i = 1; i + 2 < n; i++) {
        b[i] += 0.4 * sin(a[i]);
        a[i] = a[i - 1] > 0.5 ? 0.3 * a[i - 1] : b[i] * a[i];
      }
    }
  }
  for (int i = 0; i < 4; i++)
    s += a[i] * b[i];
  return s;
}

// What n is at least, only the flag says.
__attribute__((noinline)) static double flagged(double *x, const int *inside,
                                                unsigned n) {
  double s = 0;
  for (int t = 0; t < 3; t++) {
    if (inside[t])
      for (unsigned i = 0; i < n - 4; i++)
        x[i] = sin(x[i]) * x[i + 1];
    s += x[t] * x[t + 1];
  }
  return s;
}

void merged(const double *x, double *y) {
  for (unsigned n = 0; n < 8; n++) {
    const int inside[3] = {n > 4, n > 5, n > 4};
    double a[8], b[8];
    for (int i = 0; i < 8; i++)
      a[i] = b[i] = x[i];
    y[n] = ways(a, n, 3);
    y[n] += twice(a, b, n);
    y[n] += flagged(b, inside, n);
  }
}
ADZE_TEST_MAP(merged, 8, 8, ADZE_AT(0.9, 0.4, 0.7, 0.6, 0.35, 0.8, 0.55, 0.45))
