// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "llsq.h"
#include "llsq_objective.h"

double llsq_primal(int n, int m, const double *x) {
  return llsq_objective(n, m, x);
}
