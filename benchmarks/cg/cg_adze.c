// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "cg.h"
#include "cg_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void cg_generated(const cg_pattern *pattern, int iterations,
                  const double *value, double *d_value, const double *b,
                  double *d_b, const double *target, double *work,
                  double *d_work) {
  GRADIENT((void *)cg_objective, enzyme_const, pattern, enzyme_const,
           iterations, enzyme_dup, value, d_value, enzyme_dup, b, d_b,
           enzyme_const, target, enzyme_dup, work, d_work);
}
