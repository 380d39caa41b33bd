// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nbody.h"
#include "nbody_objective.h"

double nbody::primal(Body *bodies, int count, const Method &method,
                     const Vector *target) {
  return objective(bodies, count, method, target);
}
