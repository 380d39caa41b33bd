// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first threads of two blocks add to one number; in a block, there is no race.
// launch: grid 2 block 32
// x: active 64
// sum: active 1
// faults: race: sum at byte 0: .* by block
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *sum) {
  if (threadIdx.x == 0)
    *sum += x[globalThread()];
}
