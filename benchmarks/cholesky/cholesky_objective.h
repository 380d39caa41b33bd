// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of cholesky.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_CHOLESKY_CHOLESKY_OBJECTIVE_H
#define ADZE_BENCHMARKS_CHOLESKY_CHOLESKY_OBJECTIVE_H

#include <math.h>

static void cholesky_factorize(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = a[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = j < i ? sum / a[j * n + j] : sqrt(sum);
    }
}

static void cholesky_solve(int n, const double *restrict l,
                           double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = y[i];
    for (int k = 0; k < i; k++)
      sum -= l[i * n + k] * y[k];
    y[i] = sum / l[i * n + i];
  }
}

static double cholesky_objective(int n, double *restrict a,
                                 double *restrict y) {
  cholesky_factorize(n, a);
  cholesky_solve(n, a, y);
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += log(a[i * n + i]) + 0.5 * y[i] * y[i];
  return sum;
}

#endif
