// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps add to shared memory one after the other, with barriers between.
// launch: grid 1 block 64
// x: active 64
// y: active 32
// result: y = [math.sin(x[i] + x[i + 32]) for i in range(32)]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double sum[32];
  int t = threadIdx.x;
  if (t < 32)
    sum[t] = x[t];
  __syncthreads();
  if (t >= 32)
    sum[t - 32] += x[t];
  __syncthreads();
  if (t < 32)
    y[t] = sin(sum[t]);
}
