// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block reads what another one writes.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// faults: race: x at byte .* by block
// also: hip
#include "gpu.h"
__device__ void body(double *x, double *y) {
  int i = globalThread();
  y[i] = x[(i + 32) % 64];
  if (blockIdx.x == 1)
    x[i] = 1;
}
