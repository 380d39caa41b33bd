// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hydro.h"
#include "hydro_objective.h"

double hydro_primal(const hydro_mesh *mesh, const hydro_state *state) {
  return hydro_objective(mesh, state->x, state->v, state->e, state->stress,
                         state->force);
}
