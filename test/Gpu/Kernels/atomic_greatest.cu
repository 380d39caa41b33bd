// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The greatest of positive floats by an atomic of their bits.
// launch: grid 2 block 32
// x: active 64 in 0.1 1
// top: active 1 in 0 0.01
#include "gpu.h"
__device__ void body(const float *x, float *top) {
  atomicMax(reinterpret_cast<int *>(top), __builtin_bit_cast(int, x[globalThread()]));
}
