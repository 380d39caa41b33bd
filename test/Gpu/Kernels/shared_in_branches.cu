// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Only some threads write, others read; what nobody writes is zero.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[32];
  int t = threadIdx.x, i = globalThread();
  tile[t] = 0;
  __syncthreads();
  if (x[i] > 0)
    tile[31 - t] = x[i] * x[i];
  __syncthreads();
  if (t % 3)
    y[i] = tile[t] * x[i] + tile[t];
}
