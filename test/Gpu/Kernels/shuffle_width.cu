// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of eight lanes each.
// launch: grid 1 block 64
// x: active 64
// sums: active 8
// also: hip
// result: sums = [sum(v * v for v in x[8 * k:8 * k + 8]) for k in range(8)]
#include "gpu.h"
__device__ void body(const float *x, float *sums) {
  int i = threadIdx.x;
  float v = x[i] * x[i];
  for (int by = 4; by > 0; by /= 2)
    v += __shfl_down_sync(ALL_LANES, v, by, 8);
  if (i % 8 == 0)
    sums[i / 8] = v;
}
