// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid and blocks of three dimensions, with margins that no thread has.
// launch: grid 2,2,2 block 4,4,2
// x: active 120
// y: active 120
// also: hip
// result: y = [a * (a + i // 30) + math.tanh(a) for i, a in enumerate(x)]
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= 6 || j >= 5 || k >= 4)
    return;
  int at = (k * 5 + j) * 6 + i;
  y[at] = x[at] * (x[at] + k) + tanh(x[at]);
}
