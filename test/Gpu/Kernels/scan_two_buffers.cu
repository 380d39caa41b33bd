// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with two buffers that are swapped.
// launch: grid 1 block 32
// x: active 32
// y: active 32
// result: y = [sum(x[:i + 1]) ** 2 for i in range(32)]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double part[2][32];
  int t = threadIdx.x, now = 0;
  part[0][t] = x[t];
  __syncthreads();
  for (int by = 1; by < 32; by *= 2) {
    part[1 - now][t] = part[now][t] + (t >= by ? part[now][t - by] : 0);
    now = 1 - now;
    __syncthreads();
  }
  y[t] = part[now][t] * part[now][t];
}
