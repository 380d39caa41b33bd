// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first threads load what all use.
// launch: grid 2 block 64
// c: active 5
// x: active 132
// y: active 128
// also: hip
#include "gpu.h"
__device__ void body(const double *c, const double *x, double *y) {
  __shared__ double weights[5];
  int t = threadIdx.x, i = globalThread();
  if (t < 5)
    weights[t] = c[t];
  __syncthreads();
  double sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += weights[k] * x[i + k];
  y[i] = sum + weights[0] * weights[4];
}
