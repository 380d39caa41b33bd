// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "montecarlo.h"
#include "montecarlo_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void montecarlo_generated(const montecarlo_option *option, const double *market,
                          double *d_market, const double *vol, double *d_vol,
                          const double *skew, double *d_skew,
                          const double *normals) {
  GRADIENT((void *)montecarlo_objective, enzyme_const, option, enzyme_dup,
           market, d_market, enzyme_dup, vol, d_vol, enzyme_dup, skew, d_skew,
           enzyme_const, normals);
}
