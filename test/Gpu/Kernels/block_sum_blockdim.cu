// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same for any size of blocks, and one atomic for each block.
// launch: grid 2 block 64
// x: active 200
// sum: active 1
// n: 200
#include "gpu.h"
__device__ void body(const double *x, double *sum, int n) {
  __shared__ double part[256];
  int t = threadIdx.x;
  double own = 0;
  for (int i = globalThread(); i < n; i += globalThreads())
    own += x[i] * x[i];
  part[t] = own;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      part[t] += part[t + half];
  }
  if (t == 0)
    atomicAdd(sum, part[0]);
}
