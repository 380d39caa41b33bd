// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of a class, in a function template; those at the end are not full.
// launch: grid 2,2 block 8,8
// a: active 169
// b: active 169
// c: active 169
// n: 13
// planted: barriers
#include "gpu.h"
template <int N, typename Real> struct Tile {
  Real v[N][N + 1];
  __device__ Real &at(int r, int c) { return v[r][c]; }
};

template <int N, typename Real>
__device__ Real product(const Real *a, const Real *b, int n, int row, int column) {
  __shared__ Tile<N, Real> as, bs;
  int x = threadIdx.x, y = threadIdx.y;
  Real sum = 0;
  for (int k0 = 0; k0 < n; k0 += N) {
    as.at(y, x) = row < n && k0 + x < n ? a[row * n + k0 + x] : 0;
    bs.at(y, x) = k0 + y < n && column < n ? b[(k0 + y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < N; ++k)
      sum += as.at(y, k) * bs.at(k, x);
    __syncthreads();
  }
  return sum;
}

__device__ void body(const double *a, const double *b, double *c, int n) {
  int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  double sum = product<8, double>(a, b, n, row, column);
  if (row < n && column < n)
    c[row * n + column] = sum;
}
