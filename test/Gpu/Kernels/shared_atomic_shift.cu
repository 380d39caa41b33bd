// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics to shared memory at an index that depends on the thread; no two adds meet twice.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[64];
  int t = threadIdx.x, i = globalThread();
  tile[t] = x[i];
  __syncthreads();
  atomicAdd(&tile[(t + 1) % 64], x[i] * x[i]);
  atomicAdd(&tile[(t * 2) % 64], sin(x[i]));
  __syncthreads();
  y[i] = tile[t] * tile[63 - t];
}
