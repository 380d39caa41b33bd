// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cholesky.h"
#include "cholesky_objective.h"

double cholesky_primal(int n, double *a, double *y) {
  return cholesky_objective(n, a, y);
}
