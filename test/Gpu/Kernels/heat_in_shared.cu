// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time steps in shared memory: two barriers each.
// launch: grid 2 block 32
// u: active 64
// also: hip
#include "gpu.h"
__device__ void body(double *u) {
  __shared__ double tile[32];
  int t = threadIdx.x, i = globalThread();
  tile[t] = u[i];
  __syncthreads();
  for (int step = 0; step < 4; ++step) {
    double left = t > 0 ? tile[t - 1] : 0, right = t < 31 ? tile[t + 1] : 0;
    double next = tile[t] + 0.2 * (left - 2 * tile[t] + right) - 0.1 * tile[t] * tile[t];
    __syncthreads();
    tile[t] = next;
    __syncthreads();
  }
  u[i] = tile[t];
}
