// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a padded matrix in shared memory are worked on by rows and by columns.
// launch: grid 1 block 8,8
// x: active 64
// y: active 64
// planted: barriers
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  __shared__ double m[8][9];
  int c = threadIdx.x, r = threadIdx.y;
  m[r][c] = x[8 * r + c];
  __syncthreads();
  double sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += m[r][k] * m[k][c];
  __syncthreads();
  m[c][r] = sum;
  __syncthreads();
  y[8 * r + c] = m[r][c] + m[0][c] * m[r][0];
}
