// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two shared arrays, three barriers, a store that later reads need.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// also: hip
// planted: barriers
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double a[32], b[32];
  int t = threadIdx.x, i = globalThread();
  a[t] = sin(x[i]);
  __syncthreads();
  b[t] = a[(t + 3) % 32] * a[t];
  __syncthreads();
  a[t] = b[31 - t] * b[t];
  __syncthreads();
  y[i] = a[(t + 1) % 32] + b[t];
}
