// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same with a barrier of the warp.
// launch: grid 1 block 64
// x: active 64
// y: active 64
// faults: none
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[64];
  int i = threadIdx.x;
  tile[i] = x[i];
  __syncwarp();
  y[i] = tile[i ^ 31];
  __syncwarp();
  tile[i ^ 1] = y[i];
  __syncwarp();
  y[i] += tile[i];
}
