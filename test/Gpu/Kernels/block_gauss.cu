// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block solves a system of equations together.
// launch: grid 1 block 8,8
// a: active 64
// b: active 8
// also: hip
#include "gpu.h"
__device__ void body(const double *a, double *b) {
  __shared__ double m[8][9];
  int c = threadIdx.x, r = threadIdx.y;
  m[r][c] = a[8 * r + c] + (r == c ? 8 : 0);
  if (c == 0)
    m[r][8] = b[r];
  __syncthreads();
  for (int k = 0; k < 8; ++k) {
    double f = r > k ? m[r][k] / m[k][k] : 0;
    __syncthreads();
    if (r > k && c >= k) {
      m[r][c] -= f * m[k][c];
      if (c == 7)
        m[r][8] -= f * m[k][8];
    }
    __syncthreads();
  }
  if (c == 0)
    b[r] = m[r][8] / m[r][r];
}
