// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "fft.h"
#include "fft_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void fft_generated(int n, double *data, double *d_data, const double *twiddle,
                   const double *target) {
  GRADIENT((void *)fft_objective, enzyme_const, n, enzyme_dup, data, d_data,
           enzyme_const, twiddle, enzyme_const, target);
}
