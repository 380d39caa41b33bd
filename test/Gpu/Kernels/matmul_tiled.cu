// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of matrices by tiles in shared memory.
// launch: grid 2,2 block 8,8
// a: active 256
// b: active 256
// c: active 256
// also: hip
// result: c = [sum(a[16 * r + k] * b[16 * k + c] for k in range(16)) for r in range(16) for c in range(16)]
// planted: barriers atomics
#include "gpu.h"
__device__ void body(const double *a, const double *b, double *c) {
  __shared__ double as[8][8], bs[8][8];
  const int n = 16;
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
  double sum = 0;
  for (int tile = 0; tile < n / 8; ++tile) {
    as[y][x] = a[row * n + tile * 8 + x];
    bs[y][x] = b[(tile * 8 + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
