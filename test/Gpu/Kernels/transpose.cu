// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same without shared memory.
// launch: grid 2,2 block 8,8
// a: active 256
// b: active 256
// result: b = [a[16 * c + r] ** 2 for r in range(16) for c in range(16)]
#include "gpu.h"
__device__ void body(const float *a, float *b) {
  int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  b[column * 16 + row] = a[row * 16 + column] * a[row * 16 + column];
}
