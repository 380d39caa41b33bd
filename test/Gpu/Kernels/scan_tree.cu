// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exclusive scan that goes up a tree and down again.
// launch: grid 1 block 32
// x: active 64
// y: active 64
// result: y = [sum(x[:i]) * (x[i] if i % 2 == 0 else 1) for i in range(64)]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double part[64];
  int t = threadIdx.x, step = 1;
  part[2 * t] = x[2 * t];
  part[2 * t + 1] = x[2 * t + 1];
  for (int nodes = 32; nodes > 0; nodes /= 2) {
    __syncthreads();
    if (t < nodes)
      part[step * (2 * t + 2) - 1] += part[step * (2 * t + 1) - 1];
    step *= 2;
  }
  if (t == 0)
    part[63] = 0;
  for (int nodes = 1; nodes < 64; nodes *= 2) {
    step /= 2;
    __syncthreads();
    if (t < nodes) {
      double left = part[step * (2 * t + 1) - 1];
      part[step * (2 * t + 1) - 1] = part[step * (2 * t + 2) - 1];
      part[step * (2 * t + 2) - 1] += left;
    }
  }
  __syncthreads();
  y[2 * t] = part[2 * t] * x[2 * t];
  y[2 * t + 1] = part[2 * t + 1];
}
