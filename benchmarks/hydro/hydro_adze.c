// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "hydro.h"
#include "hydro_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void hydro_generated(const hydro_mesh *mesh, const hydro_state *state,
                     const hydro_state *d_state) {
  GRADIENT((void *)hydro_objective, enzyme_const, mesh, enzyme_dup, state->x,
           d_state->x, enzyme_dup, state->v, d_state->v, enzyme_dup, state->e,
           d_state->e, enzyme_dup, state->stress, d_state->stress, enzyme_dup,
           state->force, d_state->force);
}
