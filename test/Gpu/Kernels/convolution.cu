// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weights that all threads read, a window that moves.
// launch: grid 2 block 32
// x: active 70
// w: active 7
// y: active 64
// also: hip
// planted: atomics
#include "gpu.h"
__device__ void body(const double *x, const double *w, double *y) {
  int i = globalThread();
  double sum = 0;
  for (int k = 0; k < 7; ++k)
    sum += w[k] * x[i + k];
  y[i] = fmax(sum, 0.1 * sum);
}
