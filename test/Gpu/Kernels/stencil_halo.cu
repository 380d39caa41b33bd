// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil in one dimension, its halo in shared memory.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[68];
  int t = threadIdx.x, i = globalThread();
  tile[t + 2] = x[i];
  if (t < 2) {
    tile[t] = i >= 2 ? x[i - 2] : 0;
    tile[t + 66] = i + 64 < 128 ? x[i + 64] : 0;
  }
  __syncthreads();
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += tile[t + k] * (k - 1.5);
  y[i] = sum * sum;
}
