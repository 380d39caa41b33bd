// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "brusselator.h"
#include "brusselator_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void brusselator_generated(const brusselator_grid *grid, double *state,
                           double *d_state, double *slope, double *d_slope,
                           const double *parameters, double *d_parameters,
                           const double *target) {
  GRADIENT((void *)brusselator_objective, enzyme_const, grid, enzyme_dup, state,
           d_state, enzyme_dup, slope, d_slope, enzyme_dup, parameters,
           d_parameters, enzyme_const, target);
}
