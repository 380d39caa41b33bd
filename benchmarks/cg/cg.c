// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cg.h"
#include "cg_objective.h"

double cg_primal(const cg_pattern *pattern, int iterations, const double *value,
                 const double *b, const double *target, double *work) {
  return cg_objective(pattern, iterations, value, b, target, work);
}
