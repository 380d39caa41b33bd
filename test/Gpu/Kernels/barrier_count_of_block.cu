// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of barriers whose count differs from block to block.
// launch: grid 3 block 32
// x: active 96
// count: const [3, 0, 5]
// also: hip
#include "gpu.h"
__device__ void body(double *x, const int *count) {
  __shared__ double tile[32];
  int t = threadIdx.x, i = globalThread();
  double v = x[i];
  for (int k = 0; k < count[blockIdx.x]; ++k) {
    tile[t] = v;
    __syncthreads();
    v = 0.7 * tile[(t + 1) % 32] + 0.3 * v * v;
    __syncthreads();
  }
  x[i] = v;
}
