// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "lstm.h"
#include "lstm_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void lstm_generated(int layers, int chars, int bits, const double *gates,
                    double *d_gates, const double *extra, double *d_extra,
                    double *state, double *d_state, const double *text) {
  GRADIENT((void *)lstm_objective, enzyme_const, layers, enzyme_const, chars,
           enzyme_const, bits, enzyme_dup, gates, d_gates, enzyme_dup, extra,
           d_extra, enzyme_dup, state, d_state, enzyme_const, text);
}
