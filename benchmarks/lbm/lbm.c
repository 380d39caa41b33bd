// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lbm.h"
#include "lbm_objective.h"

double lbm_primal(const lbm_box *box, float *f, float *next,
                  const float *target) {
  return lbm_objective(box, f, next, target);
}
