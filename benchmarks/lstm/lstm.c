// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lstm.h"
#include "lstm_objective.h"

double lstm_primal(int layers, int chars, int bits, const double *gates,
                   const double *extra, double *state, const double *text) {
  return lstm_objective(layers, chars, bits, gates, extra, state, text);
}
