// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "det.h"
#include "det_objective.h"

double det_primal(int n, const double *a, int *rows, int *columns) {
  return det_objective(n, a, rows, columns);
}
