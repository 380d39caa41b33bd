// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mean and variance of a block by atomics in shared memory.
// launch: grid 2 block 64
// x: active 128
// scale: active 64
// y: active 128
// also: hip
#include "gpu.h"
__device__ void body(const double *x, const double *scale, double *y) {
  __shared__ double sum, squares;
  int t = threadIdx.x, i = globalThread();
  if (t == 0)
    sum = squares = 0;
  __syncthreads();
  atomicAdd(&sum, x[i]);
  atomicAdd(&squares, x[i] * x[i]);
  __syncthreads();
  double mean = sum / 64, variance = squares / 64 - mean * mean;
  y[i] = scale[t] * (x[i] - mean) / sqrt(variance + 1e-3);
}
