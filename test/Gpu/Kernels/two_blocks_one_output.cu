// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks add to the same row, by atomics, after a sum in shared memory.
// launch: grid 3 block 32
// x: active 96
// y: active 32
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[32];
  int t = threadIdx.x, i = globalThread();
  tile[t] = x[i] * x[i];
  __syncthreads();
  atomicAdd(&y[t], tile[31 - t] * x[i]);
}
