// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory whose size the launch says.
// launch: grid 2 block 64 shared 512
// x: active 128
// y: active 128
// result: y = [math.exp(x[i // 64 * 64 + (i + 1) % 64]) * math.exp(x[i]) for i in range(128)]
#include "gpu.h"
extern __shared__ double dynamicTile[];
__device__ void body(const double *x, double *y) {
  int t = threadIdx.x, i = globalThread();
  dynamicTile[t] = exp(x[i]);
  __syncthreads();
  y[i] = dynamicTile[(t + 1) % 64] * dynamicTile[t];
}
