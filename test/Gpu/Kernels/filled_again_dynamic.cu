// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Both tiles in memory whose size the launch gives.
// launch: grid 2,2 block 8,8 shared 1024
// a: active 256
// b: active 256
// c: active 256
// n: 16
#include "gpu.h"
extern __shared__ double both[];
__device__ void body(const double *a, const double *b, double *c, int n) {
  double *as = both, *bs = both + blockDim.x * blockDim.y;
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
  double sum = 0;
  for (int tile = 0; tile < n / 8; ++tile) {
    as[y * 8 + x] = a[row * n + tile * 8 + x];
    bs[y * 8 + x] = b[(tile * 8 + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      sum += as[y * 8 + k] * bs[k * 8 + x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
