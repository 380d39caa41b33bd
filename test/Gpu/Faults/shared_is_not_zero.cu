// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory is read before it is written: no number.
// launch: grid 2 block 32
// x: active 64
// faults: x\[\d+\] is nan
// also: hip
#include "gpu.h"
__device__ void body(double *x) {
  __shared__ double tile[32];
  int i = threadIdx.x;
  if (i > 0)
    tile[i] = 1;
  __syncthreads();
  x[globalThread()] += tile[31 - i];
}
