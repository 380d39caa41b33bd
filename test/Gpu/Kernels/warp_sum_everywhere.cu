// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A butterfly: all lanes get the sum.
// launch: grid 2 block 64
// x: active 128
// y: active 128
// also: hip
#include "gpu.h"
__device__ void body(const float *x, float *y) {
  int i = globalThread();
  float v = x[i];
  for (int with = 1; with < warpSize; with *= 2)
    v += __shfl_xor_sync(ALL_LANES, v, with);
  y[i] = x[i] * v;
}
