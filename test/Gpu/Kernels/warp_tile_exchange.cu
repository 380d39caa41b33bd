// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory of one warp, with barriers of the warp.
// launch: grid 1 block 64
// x: active 64
// y: active 64
// result: y = [x[i ^ 5] ** 2 * x[i] for i in range(64)]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[64];
  int t = threadIdx.x;
  tile[t] = x[t] * x[t];
  __syncwarp();
  y[t] = tile[t ^ 5] * x[t];
}
