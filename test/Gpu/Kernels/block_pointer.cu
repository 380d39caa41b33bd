// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer that belongs to the block.
// launch: grid 3 block 16
// x: active 48
// w: active 48
#include "gpu.h"
__device__ void body(double *x, const double *w) {
  double *row = x + blockIdx.x * blockDim.x;
  const double *weights = w + blockIdx.x * blockDim.x;
  int t = threadIdx.x;
  row[t] = row[t] * weights[15 - t] + weights[t];
}
