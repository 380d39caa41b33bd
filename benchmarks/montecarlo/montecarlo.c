// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "montecarlo.h"
#include "montecarlo_objective.h"

double montecarlo_primal(const montecarlo_option *option, const double *market,
                         const double *vol, const double *skew,
                         const double *normals) {
  return montecarlo_objective(option, market, vol, skew, normals);
}
