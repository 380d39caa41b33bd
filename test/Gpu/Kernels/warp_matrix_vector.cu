// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row for each warp: lanes add up products.
// launch: grid 1 block 128
// a: active 256
// v: active 64
// y: active 4
// also: hip
#include "gpu.h"
__device__ void body(const double *a, const double *v, double *y) {
  int row = threadIdx.x / warpSize, lane = static_cast<int>(laneId());
  double sum = 0;
  for (int k = lane; k < 64; k += warpSize)
    sum += a[64 * row + k] * v[k];
  for (int by = warpSize / 2; by > 0; by /= 2)
    sum += __shfl_xor_sync(ALL_LANES, sum, by);
  if (lane == 0)
    y[row] = sum;
}
