// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both barriers are there, and sums are atomic: no fault.
// launch: grid 2 block 128
// x: active 256
// y: active 256
// sum: active 1
// faults: none
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y, double *sum) {
  __shared__ double tile[128];
  int i = threadIdx.x;
  double own = 0;
  for (int round = 0; round < 2; ++round) {
    tile[i] = x[round * 128 + i];
    __syncthreads();
    own += tile[127 - i];
    __syncthreads();
  }
  y[globalThread()] = own;
  atomicAdd(sum, own);
}
