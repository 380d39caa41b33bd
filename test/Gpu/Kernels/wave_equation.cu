// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two fields that swap their parts in each step, in global memory of one block.
// launch: grid 1 block 64
// u: active 64
// w: active 64
// planted: barriers
// also: hip
#include "gpu.h"
__device__ void body(double *u, double *w) {
  int t = threadIdx.x;
  for (int step = 0; step < 3; ++step) {
    double next = 2 * u[t] - w[t] + 0.2 * (u[(t + 1) % 64] - 2 * u[t] + u[(t + 63) % 64]);
    __syncthreads();
    w[t] = u[t];
    u[t] = next - 0.05 * next * next;
    __syncthreads();
  }
}
