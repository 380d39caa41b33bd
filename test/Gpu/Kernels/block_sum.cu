// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of a block: a tree in shared memory.
// launch: grid 2 block 64
// x: active 128
// sums: active 2
// also: hip
// result: sums = [math.sqrt(sum(v * v for v in x[64 * b:64 * b + 64])) for b in range(2)]
// planted: barriers
#include "gpu.h"
__device__ void body(const double *x, double *sums) {
  __shared__ double part[64];
  int t = threadIdx.x;
  part[t] = x[globalThread()] * x[globalThread()];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = sqrt(part[0]);
}
