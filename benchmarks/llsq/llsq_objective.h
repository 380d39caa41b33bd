// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of llsq.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_LLSQ_LLSQ_OBJECTIVE_H
#define ADZE_BENCHMARKS_LLSQ_LLSQ_OBJECTIVE_H

static double llsq_objective(int n, int m, const double *restrict x) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    double t = -1.0 + i * 2.0 / (n - 1.0);
    double residual = t < 0.0 ? -1.0 : t > 0.0 ? 1.0 : 0.0;
    double power = 1.0;
    for (int j = 0; j < m; j++) {
      residual -= x[j] * power;
      power *= t;
    }
    sum += residual * residual;
  }
  return 0.5 * sum;
}

#endif
