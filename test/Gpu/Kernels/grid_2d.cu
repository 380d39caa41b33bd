// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid and blocks of two dimensions.
// launch: grid 3,2 block 8,4
// x: active 192
// y: active 192
// rows: 8
// columns: 24
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y, int rows, int columns) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < columns)
    y[r * columns + c] = exp(0.5 * x[r * columns + c]) + r * x[r * columns + c];
}
