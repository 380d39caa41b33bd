// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In place on a packed triangle; the value is the log determinant plus a solve.
#include "check.h"
#include <math.h>

double cholesky(const double *x, int n) {
  double l[10];
  for (int i = 0; i < 10; ++i)
    l[i] = x[i];
  double s = 0;
  for (int i = 0; i < n - 6; ++i)
    for (int j = 0; j <= i; ++j) {
      double t = l[i * (i + 1) / 2 + j];
      for (int k = 0; k < j; ++k)
        t -= l[i * (i + 1) / 2 + k] * l[j * (j + 1) / 2 + k];
      if (i == j) {
        l[i * (i + 1) / 2 + j] = sqrt(t);
        s += log(t);
      } else
        l[i * (i + 1) / 2 + j] = t / l[j * (j + 1) / 2 + j];
    }
  return s + l[6] * l[9];
}

ADZE_TEST_ARRAY(cholesky, 10, ADZE_AT(4.0, 0.5, 3.0, 0.2, -0.4, 5.0, 0.3, 0.1, 0.6, 2.0))
