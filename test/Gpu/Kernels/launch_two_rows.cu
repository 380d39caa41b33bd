// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of two rows read what their column has: only the launch tells that they are two.
// launch: grid 2 block 16,2
// x: active 32
// y: active 64
// also: hip
// planted: atomics tests
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[threadIdx.y * blockDim.x * gridDim.x + i] = x[i] * x[i] * (1 + threadIdx.y);
}
