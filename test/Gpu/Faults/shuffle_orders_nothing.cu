// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shuffle is no barrier of memory: CUDA promises no order of other accesses around it.
// launch: grid 1 block 32
// x: active 32
// y: active 32
// faults: race: .*tile
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[32];
  int i = threadIdx.x;
  tile[i] = x[i];
  double other = __shfl_down_sync(ALL_LANES, x[i], 1);
  y[i] = tile[31 - i] + other;
}
