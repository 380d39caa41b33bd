// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "cholesky.h"
#include "cholesky_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void cholesky_generated(int n, double *a, double *d_a, double *y, double *d_y) {
  GRADIENT((void *)cholesky_objective, enzyme_const, n, enzyme_dup, a, d_a,
           enzyme_dup, y, d_y);
}
