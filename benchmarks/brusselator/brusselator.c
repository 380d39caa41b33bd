// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "brusselator.h"
#include "brusselator_objective.h"

double brusselator_primal(const brusselator_grid *grid, double *state,
                          double *slope, const double *parameters,
                          const double *target) {
  return brusselator_objective(grid, state, slope, parameters, target);
}
