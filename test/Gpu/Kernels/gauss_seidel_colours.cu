// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Red and black points in turn, in shared memory.
// launch: grid 1 block 32
// u: active 64
// f: active 64
#include "gpu.h"
__device__ void body(double *u, const double *f) {
  __shared__ double tile[64];
  int t = threadIdx.x;
  tile[2 * t] = u[2 * t];
  tile[2 * t + 1] = u[2 * t + 1];
  __syncthreads();
  for (int sweep = 0; sweep < 2; ++sweep)
    for (int colour = 0; colour < 2; ++colour) {
      int at = 2 * t + colour;
      tile[at] = 0.4 * (tile[(at + 1) % 64] + tile[(at + 63) % 64]) + f[at] * tile[at];
      __syncthreads();
    }
  u[2 * t] = tile[2 * t];
  u[2 * t + 1] = tile[2 * t + 1];
}
