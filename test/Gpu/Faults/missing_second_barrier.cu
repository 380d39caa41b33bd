// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier behind the reads is missing: the next round overwrites what is still read.
// launch: grid 1 block 128
// x: active 256
// y: active 128
// faults: race: .*tile
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double tile[128];
  int i = threadIdx.x;
  double sum = 0;
  for (int round = 0; round < 2; ++round) {
    tile[i] = x[round * 128 + i];
    __syncthreads();
    sum += tile[127 - i];
  }
  y[i] = sum;
}
