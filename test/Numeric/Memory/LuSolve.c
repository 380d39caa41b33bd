// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU factors in place with row exchange, then two triangular solves.
#include "check.h"
#include <math.h>

void solve(const double *x, double *y) {
  double a[4][4], b[4];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j)
      a[i][j] = x[4 * i + j];
    b[i] = x[16 + i];
  }
  for (int k = 0; k < 4; ++k) {
    int p = k;
    for (int i = k + 1; i < 4; ++i)
      if (fabs(a[i][k]) > fabs(a[p][k]))
        p = i;
    for (int j = 0; j < 4; ++j) {
      double t = a[k][j];
      a[k][j] = a[p][j];
      a[p][j] = t;
    }
    double t = b[k];
    b[k] = b[p];
    b[p] = t;
    for (int i = k + 1; i < 4; ++i) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < 4; ++j)
        a[i][j] -= a[i][k] * a[k][j];
      b[i] -= a[i][k] * b[k];
    }
  }
  for (int i = 3; i >= 0; --i) {
    for (int j = i + 1; j < 4; ++j)
      b[i] -= a[i][j] * y[j];
    y[i] = b[i] / a[i][i];
  }
}

ADZE_TEST_MAP(solve, 20, 4,
              ADZE_AT(0.2, 1.0, -0.3, 0.5, 2.0, 0.4, 0.7, -1.0, 0.3, -0.6, 1.5, 0.2, 1.1,
                      0.9, -0.2, 3.0, 1.0, -2.0, 0.5, 0.7))
