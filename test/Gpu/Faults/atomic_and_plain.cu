// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plain read of what others change atomically.
// launch: grid 1 block 32
// x: active 32
// y: active 32
// sum: active 1
// faults: race: sum at byte 0: (read|atomic) .* (atomic|read)
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y, double *sum) {
  atomicAdd(sum, x[threadIdx.x]);
  y[threadIdx.x] = *sum;
}
