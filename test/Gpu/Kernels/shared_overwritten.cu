// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same place is written, read, and written again, by different threads each time.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// planted: barriers
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[32];
  int t = threadIdx.x, i = globalThread();
  tile[t] = x[i];
  __syncthreads();
  double a = tile[31 - t];
  __syncthreads();
  tile[(t + 7) % 32] = a * x[i];
  __syncthreads();
  double b = tile[(t + 3) % 32];
  __syncthreads();
  tile[t] = b * b;
  __syncthreads();
  y[i] = a * b + tile[t ^ 1];
}
