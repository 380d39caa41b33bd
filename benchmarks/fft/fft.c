// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fft.h"
#include "fft_objective.h"

double fft_primal(int n, double *data, const double *twiddle,
                  const double *target) {
  return fft_objective(n, data, twiddle, target);
}
