// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The greatest of four.
// launch: grid 1 block 8,4
// x: active 128
// y: active 32
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int c = threadIdx.x, r = threadIdx.y;
  double top = x[32 * r + 2 * c];
  for (int k = 1; k < 4; ++k) {
    double v = x[32 * r + 16 * (k / 2) + 2 * c + k % 2];
    if (v > top)
      top = v;
  }
  y[8 * r + c] = top * top;
}
