// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of matrices without tiles.
// launch: grid 2,2 block 4,4
// a: active 64
// b: active 64
// c: active 64
// also: hip
#include "gpu.h"
__device__ void body(const float *a, const float *b, float *c) {
  int column = blockIdx.x * 4 + threadIdx.x, row = blockIdx.y * 4 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += a[8 * row + k] * b[8 * k + column];
  c[8 * row + column] = sum;
}
