// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A two-dimensional array as parameter, transposed in place and multiplied.
#include "check.h"

static void transpose(double (*a)[3]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) {
      double t = a[i][j];
      a[i][j] = a[j][i];
      a[j][i] = t;
    }
}

void gram(double *x) {
  double (*a)[3] = (double (*)[3])x;
  double c[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      c[i][j] = 0;
      for (int k = 0; k < 3; ++k)
        c[i][j] += a[i][k] * a[j][k];
    }
  transpose(a);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      a[i][j] += c[i][j] * a[j][i];
}

ADZE_TEST_INPLACE(gram, 9, ADZE_AT(0.9, 1.1, -0.7, 0.4, 0.6, -0.2, 0.3, 0.8, -0.5))
