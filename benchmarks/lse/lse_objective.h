// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of lse.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_LSE_LSE_OBJECTIVE_H
#define ADZE_BENCHMARKS_LSE_LSE_OBJECTIVE_H

#include <math.h>

static double lse_objective(int n, const double *restrict x) {
  double largest = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > largest)
      largest = x[i];
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += exp(x[i] - largest);
  return log(sum) + largest;
}

#endif
