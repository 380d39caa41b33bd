// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum of a block: shuffles in warps, shared memory between them.
// launch: grid 2 block 128
// x: active 256
// sums: active 2
// also: hip
// result: sums = [sum(v * v for v in x[128 * b:128 * b + 128]) for b in range(2)]
#include "gpu.h"
__device__ double sumOfWarp(double v) {
  for (int by = warpSize / 2; by > 0; by /= 2)
    v += __shfl_down_sync(ALL_LANES, v, by);
  return v;
}
__device__ void body(const double *x, double *sums) {
  __shared__ double part[4];
  int t = threadIdx.x, warp = t / warpSize, warps = blockDim.x / warpSize;
  double v = sumOfWarp(x[globalThread()] * x[globalThread()]);
  if (laneId() == 0)
    part[warp] = v;
  __syncthreads();
  if (warp == 0) {
    v = sumOfWarp(t < warps ? part[t] : 0);
    if (t == 0)
      sums[blockIdx.x] = v;
  }
}
