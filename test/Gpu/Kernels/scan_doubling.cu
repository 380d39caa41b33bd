// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan of a block: distances that double, two barriers each.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// also: hip
// result: y = [sum(x[i // 64 * 64:i + 1]) ** 2 for i in range(128)]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double part[64];
  int t = threadIdx.x;
  part[t] = x[globalThread()];
  __syncthreads();
  for (int by = 1; by < 64; by *= 2) {
    double below = t >= by ? part[t - by] : 0;
    __syncthreads();
    part[t] += below;
    __syncthreads();
  }
  y[globalThread()] = part[t] * part[t];
}
