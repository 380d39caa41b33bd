// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same for any size, with tiles that are not full.
// launch: grid 2,2 block 8,8
// a: active 169
// b: active 169
// c: active 169
// n: 13
// result: c = [sum(a[13 * r + k] * b[13 * k + c] for k in range(13)) for r in range(13) for c in range(13)]
#include "gpu.h"
__device__ void body(const double *a, const double *b, double *c, int n) {
  __shared__ double as[8][8], bs[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
  double sum = 0;
  for (int tile = 0; tile < (n + 7) / 8; ++tile) {
    int k0 = tile * 8;
    as[y][x] = row < n && k0 + x < n ? a[row * n + k0 + x] : 0;
    bs[y][x] = k0 + y < n && column < n ? b[(k0 + y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}
