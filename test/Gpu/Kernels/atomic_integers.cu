// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of integers, whose results nobody reads.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// count: scratch [0] * 3
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y, int *count) {
  int i = globalThread();
  y[i] = x[i] * x[i];
  atomicAdd(&count[0], 1);
  atomicMax(&count[1], i);
  if (x[i] > 0)
    atomicMin(&count[2], -i);
}
