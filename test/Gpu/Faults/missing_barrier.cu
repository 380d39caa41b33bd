// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread reads what its neighbour of another warp writes, without a barrier between.
// launch: grid 1 block 128
// x: active 128
// y: active 128
// faults: race: .*tile
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[128];
  int i = threadIdx.x;
  tile[i] = x[i];
  y[i] = tile[127 - i];
}
