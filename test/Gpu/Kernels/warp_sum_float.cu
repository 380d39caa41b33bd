// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same of floats: one register moves.
// launch: grid 2 block 64
// x: active 128
// sums: active 4
// also: hip
#include "gpu.h"
__device__ void body(const float *x, float *sums) {
  int i = globalThread();
  float v = x[i] * x[i];
  for (int by = warpSize / 2; by > 0; by /= 2)
    v += __shfl_down_sync(ALL_LANES, v, by);
  if (laneId() == 0)
    sums[i / warpSize] = v;
}
