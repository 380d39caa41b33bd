// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "llsq.h"
#include "llsq_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void llsq_generated(int n, int m, const double *x, double *d_x) {
  GRADIENT((void *)llsq_objective, enzyme_const, n, enzyme_const, m, enzyme_dup,
           x, d_x);
}
