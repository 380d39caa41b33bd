// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole blocks have nothing to do.
// launch: grid 4 block 32
// x: active 128
// y: active 128
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  if (blockIdx.x % 2)
    return;
  int i = globalThread();
  y[i] = x[i] * x[127 - i];
}
