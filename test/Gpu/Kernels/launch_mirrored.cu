// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads read from both ends: what one reads from the one end another reads from the other.
// launch: grid 2 block 16
// x: active 30
// y: active 30
// n: 30
// also: hip
// planted: atomics
#include "gpu.h"
__device__ void body(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[n - 1 - i];
}
