// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of normalize.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_NORMALIZE_NORMALIZE_OBJECTIVE_H
#define ADZE_BENCHMARKS_NORMALIZE_NORMALIZE_OBJECTIVE_H

#include <math.h>

/// Not inlined, so that it is the call that has to leave the loop; pure,
/// because sqrt() may set errno as far as the compiler knows.
__attribute__((noinline, pure)) static double normalize_norm(int n,
                                                             const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

static double normalize_objective(int n, const double *restrict x,
                                  const double *restrict target,
                                  double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = x[i] / normalize_norm(n, x);
  double distance = 0.0;
  for (int i = 0; i < n; i++)
    distance += (y[i] - target[i]) * (y[i] - target[i]);
  return distance;
}

#endif
