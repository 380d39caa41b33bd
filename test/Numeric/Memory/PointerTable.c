// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array of row pointers.
#include "check.h"

double rows(const double *x, int n) {
  double a[3][4], *row[3];
  for (int i = 0; i < 3; ++i) {
    row[i] = a[(i + 1) % 3];
    for (int j = 0; j < 4; ++j)
      row[i][j] = x[(i + j) % n] * (j + 1);
  }
  double *t = row[0];
  row[0] = row[2];
  row[2] = t;
  double s = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j)
      s += row[i][j] * a[i][j] * (i + 1);
  return s;
}

ADZE_TEST_ARRAY(rows, 4, ADZE_AT(0.9, 1.1, -0.7, 0.4))
