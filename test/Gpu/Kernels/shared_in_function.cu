// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that is not inlined works on shared memory through a pointer.
// launch: grid 2 block 32
// x: active 64
// y: active 64
#include "gpu.h"
__device__ __noinline__ double mean(const double *tile, int t) {
  return (tile[t] + tile[(t + 1) % 32] + tile[(t + 31) % 32]) / 3;
}
__device__ void body(const double *x, double *y) {
  __shared__ double tile[32];
  int t = threadIdx.x, i = globalThread();
  tile[t] = x[i] * x[i];
  __syncthreads();
  y[i] = mean(tile, t) * x[i];
}
