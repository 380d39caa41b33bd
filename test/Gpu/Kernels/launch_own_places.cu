// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread reads places of its own, in many spellings: no sum is atomic.
// launch: grid 4 block 16
// x: active 60
// slices: active 180
// points: active 180
// rows: active 300
// strided: active 150
// back: active 60
// y: active 60
// n: 60
// m: 150
// cols: 5
// atomics: 0
#include "gpu.h"
struct Point {
  double x, y, z;
};
__device__ void body(const double *x, const double *slices, const double *points,
                     const double *rows, const double *strided, const double *back, double *y,
                     int n, unsigned m, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double sum = 0;
  for (unsigned k = blockIdx.x * blockDim.x + threadIdx.x; k < m; k += gridDim.x * blockDim.x)
    sum += strided[k];
  if (i >= n)
    return;
  sum += x[i] * x[i];
  for (int k = 0; k < 3; ++k)
    sum *= 1 + 0.1 * slices[k * n + i];
  const Point *p = reinterpret_cast<const Point *>(points) + i;
  sum += p->x * p->y * p->z;
  for (int j = 0; j < cols; ++j)
    sum += rows[i * cols + j];
  y[i] = sum * back[n - 1 - i];
}
