// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ode.h"
#include "ode_objective.h"

double ode_primal(int n, int steps, const double *x, double *y, double *work) {
  return ode_objective(n, steps, x, y, work);
}
