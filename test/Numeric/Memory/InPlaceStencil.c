// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gauss-Seidel sweeps over an array that is input and output.
// ADZE: vectorized
#include "check.h"

void sweep(double *u) {
  for (int t = 0; t < 5; ++t)
    for (int i = 1; i < 9; ++i)
      u[i] = 0.5 * u[i] + 0.2 * (u[i - 1] + u[i + 1]) + 0.1 * u[i] * u[i + 1];
}

ADZE_TEST_INPLACE(sweep, 10, ADZE_AT(1.0, 0.2, 0.4, -0.3, 0.8, 0.1, -0.6, 0.7, 0.5, -1.0))
