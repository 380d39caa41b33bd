// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product by tiles in one array of floats; the barrier stands in front of what fills it.
// launch: grid 2,2 block 8,8
// a: active 256
// b: active 256
// c: active 256
// n: 16
// planted: barriers
#include "gpu.h"
__device__ void body(const float *__restrict__ a, const float *__restrict__ b,
                     float *__restrict__ c, int n) {
  __shared__ float s[128];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y, tile = 0;
  float sum = 0;
  while (tile < n) {
    __syncthreads();
    s[y * 8 + x] = a[row * n + tile + x];
    s[64 + y * 8 + x] = b[(tile + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      sum += s[y * 8 + k] * s[64 + k * 8 + x];
    tile += 8;
  }
  c[row * n + column] = sum;
}
