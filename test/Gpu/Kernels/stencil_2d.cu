// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five points, clamped at the borders.
// launch: grid 2,2 block 8,8
// u: active 256
// v: active 256
// n: 16
// also: hip
// planted: atomics
#include "gpu.h"
__device__ void body(const double *u, double *v, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int west = x > 0 ? x - 1 : x, east = x < n - 1 ? x + 1 : x;
  int north = y > 0 ? y - 1 : y, south = y < n - 1 ? y + 1 : y;
  double c = u[y * n + x];
  v[y * n + x] = c + 0.1 * (u[y * n + west] + u[y * n + east] + u[north * n + x] +
                            u[south * n + x] - 4 * c) - 0.05 * c * c * c;
}
