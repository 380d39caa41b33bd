// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call. With ADZE_NO_MARKER the call goes to an
// ordinary external function instead: the same file for measuring how much
// time differentiation adds to compilation.

#include "gmm.h"
#include "gmm_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void gmm_generated(int d, int k, int n, const double *alphas, double *d_alphas,
                   const double *means, double *d_means, const double *icf,
                   double *d_icf, const double *x, double gamma, int m) {
  GRADIENT((void *)gmm_objective, enzyme_const, d, enzyme_const, k,
           enzyme_const, n, enzyme_dup, alphas, d_alphas, enzyme_dup, means,
           d_means, enzyme_dup, icf, d_icf, enzyme_const, x, enzyme_const,
           gamma, enzyme_const, m);
}
