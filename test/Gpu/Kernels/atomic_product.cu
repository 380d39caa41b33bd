// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product by compare and exchange: what comes before depends on the order.
// launch: grid 1 block 32
// x: active 32 in 0.5 2
// y: active 1
// races: primal
#include "gpu.h"
__device__ void body(const float *x, float *y) {
  int *bits = (int *)y;
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed,
                    __builtin_bit_cast(int, __builtin_bit_cast(float, assumed) * x[threadIdx.x]));
  } while (old != assumed);
}
