// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "normalize.h"
#include "normalize_objective.h"

double normalize_primal(int n, const double *x, const double *target,
                        double *y) {
  return normalize_objective(n, x, target, y);
}
