// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of one warp exchange through shared memory without a barrier of the warp.
// launch: grid 1 block 32
// x: active 32
// y: active 32
// faults: race: .*tile
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[32];
  int i = threadIdx.x;
  tile[i] = x[i];
  y[i] = tile[31 - i];
}
