// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan of the lanes.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// also: hip
#include "gpu.h"
__device__ void body(const float *x, float *y) {
  int i = globalThread(), lane = static_cast<int>(laneId());
  float v = x[i];
  for (int by = 1; by < warpSize; by *= 2) {
    float below = __shfl_up_sync(ALL_LANES, v, by);
    if (lane >= by)
      v += below;
  }
  y[i] = v * v;
}
