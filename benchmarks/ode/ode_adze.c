// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "ode.h"
#include "ode_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void ode_generated(int n, int steps, const double *x, double *d_x, double *y,
                   double *d_y, double *work, double *d_work) {
  GRADIENT((void *)ode_objective, enzyme_const, n, enzyme_const, steps,
           enzyme_dup, x, d_x, enzyme_dup, y, d_y, enzyme_dup, work, d_work);
}
