// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of matrices by tiles in shared memory, added to a third one.
// launch: grid 2*SCALE,2 block 16,16
// large: 32
// also: hip
// a: active 1024
// b: active 1024*SCALE
// c: active 1024*SCALE
// n: 32*SCALE
#include "gpu.h"
// a is 32 by 32; b and c have n columns.
__device__ void body(const double *a, const double *b, double *c, int n) {
  __shared__ double as[16][17], bs[16][17];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  double sum = 0;
  for (int tile = 0; tile < 2; ++tile) {
    as[y][x] = a[row * 32 + tile * 16 + x];
    bs[y][x] = b[(tile * 16 + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  c[row * n + column] += sum;
}

__device__ void adjoint(const double *a, double *da, const double *b, double *db, double *c,
                        double *dc, int n) {
  __shared__ double as[16][17], bs[16][17], ds[16][17];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  ds[y][x] = dc[row * n + column];
  double sum = 0;
  for (int tile = 0; tile < 2; ++tile) {
    as[y][x] = a[row * 32 + tile * 16 + x];
    bs[y][x] = b[(tile * 16 + y) * n + column];
    __syncthreads();
    double ofA = 0, ofB = 0;
    for (int k = 0; k < 16; ++k) {
      sum += as[y][k] * bs[k][x];
      ofA += ds[y][k] * bs[x][k];
      ofB += as[k][y] * ds[k][x];
    }
    atomicAdd(&da[row * 32 + tile * 16 + x], ofA);
    atomicAdd(&db[(tile * 16 + y) * n + column], ofB);
    __syncthreads();
  }
  c[row * n + column] += sum;
}
