// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that have nothing to do leave before the barrier.
// launch: grid 2 block 64
// x: active 96
// y: active 96
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[64];
  int t = threadIdx.x, i = blockIdx.x * 48 + t;
  if (t >= 48)
    return;
  tile[t] = x[i] * x[i];
  __syncthreads();
  y[i] = tile[47 - t] * x[i];
}
