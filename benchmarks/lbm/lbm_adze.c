// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "lbm.h"
#include "lbm_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void lbm_generated(const lbm_box *box, float *f, float *d_f, float *next,
                   float *d_next, const float *target) {
  GRADIENT((void *)lbm_objective, enzyme_const, box, enzyme_dup, f, d_f,
           enzyme_dup, next, d_next, enzyme_const, target);
}
