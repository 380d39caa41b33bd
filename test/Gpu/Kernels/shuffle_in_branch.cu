// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps that differ: one exchanges, the other does not.
// launch: grid 1 block 128
// x: active 128
// y: active 128
// also: hip
#include "gpu.h"
__device__ void body(const float *x, float *y) {
  int i = threadIdx.x;
  float v = x[i] * x[i];
  if (i / warpSize % 2 == 0)
    v += __shfl_xor_sync(ALL_LANES, v, 4) * x[i];
  y[i] = v;
}
