// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest of all blocks: when they have come, nobody knows.
// launch: grid 2 block 32
// x: active 64 in 0.5 2
// y: active 1
#include "gpu.h"
__device__ void body(const float *x, float *y) {
  atomicMax((int *)y, __builtin_bit_cast(int, x[globalThread()]));
}
