// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transposed matrix through shared memory, with a padded row.
// launch: grid 2,2 block 8,8
// a: active 256
// b: active 256
// also: hip
// result: b = [2 * a[16 * c + r] for r in range(16) for c in range(16)]
#include "gpu.h"
__device__ void body(const float *a, float *b) {
  __shared__ float tile[8][9];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 8, row = blockIdx.y * 8;
  tile[y][x] = a[(row + y) * 16 + column + x];
  __syncthreads();
  b[(column + y) * 16 + row + x] = tile[x][y] * 2;
}
