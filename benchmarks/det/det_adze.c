// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "det.h"
#include "det_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void det_generated(int n, const double *a, double *d_a, int *rows,
                   int *columns) {
  GRADIENT((void *)det_objective, enzyme_const, n, enzyme_dup, a, d_a,
           enzyme_const, rows, enzyme_const, columns);
}
