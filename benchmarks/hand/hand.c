// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hand.h"
#include "hand_objective.h"

void hand_primal(const hand_model *model, const double *theta, double *errors,
                 double *work) {
  hand_objective(model, theta, errors, work);
}
