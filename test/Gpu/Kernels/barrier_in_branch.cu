// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier within a condition that is the same for all threads of a block.
// launch: grid 4 block 32
// x: active 128
// y: active 128
// result: y = [x[i] * (x[i // 32 * 32 + 31 - i % 32] ** 2 if i // 32 % 2 == 0 else 3) for i in range(128)]
// planted: barriers
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[32];
  int t = threadIdx.x, i = globalThread();
  double v = 3;
  if (blockIdx.x % 2 == 0) {
    tile[t] = x[i] * x[i];
    __syncthreads();
    v = tile[31 - t];
  }
  y[i] = x[i] * v;
}
