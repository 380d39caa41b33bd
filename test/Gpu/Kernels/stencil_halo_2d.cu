// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five points of two dimensions, with a halo.
// launch: grid 2,2 block 8,8
// u: active 256
// v: active 256
#include "gpu.h"
__device__ void body(const double *u, double *v) {
  __shared__ double tile[10][10];
  const int n = 16;
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
  tile[y + 1][x + 1] = u[row * n + column];
  if (x == 0)
    tile[y + 1][0] = column > 0 ? u[row * n + column - 1] : 0;
  if (x == 7)
    tile[y + 1][9] = column < n - 1 ? u[row * n + column + 1] : 0;
  if (y == 0)
    tile[0][x + 1] = row > 0 ? u[(row - 1) * n + column] : 0;
  if (y == 7)
    tile[9][x + 1] = row < n - 1 ? u[(row + 1) * n + column] : 0;
  __syncthreads();
  double c = tile[y + 1][x + 1];
  v[row * n + column] =
      c * c + tile[y][x + 1] + tile[y + 2][x + 1] + tile[y + 1][x] * tile[y + 1][x + 2];
}
