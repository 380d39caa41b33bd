// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with a number of steps that the launch gives.
// launch: grid 2 block 32
// u: active 64
// steps: 5
#include "gpu.h"
__device__ void body(double *u, int steps) {
  __shared__ double tile[32];
  int t = threadIdx.x, i = globalThread();
  tile[t] = u[i];
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    double left = tile[(t + 31) % 32], right = tile[(t + 1) % 32];
    double next = tile[t] + 0.2 * (left - 2 * tile[t] + right) - 0.1 * tile[t] * tile[t];
    __syncthreads();
    tile[t] = next;
    __syncthreads();
  }
  u[i] = tile[t];
}
