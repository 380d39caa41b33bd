// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "heat.h"
#include "heat_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void heat_generated(int rows, int cols, int steps, double dt, double *u,
                    double *d_u, double *next, double *d_next,
                    const double *kappa, double *d_kappa,
                    const double *target) {
  GRADIENT((void *)heat_objective, enzyme_const, rows, enzyme_const, cols,
           enzyme_const, steps, enzyme_const, dt, enzyme_dup, u, d_u,
           enzyme_dup, next, d_next, enzyme_dup, kappa, d_kappa, enzyme_const,
           target);
}
