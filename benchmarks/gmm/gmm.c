// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gmm.h"
#include "gmm_objective.h"

double gmm_primal(int d, int k, int n, const double *alphas,
                  const double *means, const double *icf, const double *x,
                  double gamma, int m) {
  return gmm_objective(d, k, n, alphas, means, icf, x, gamma, m);
}
