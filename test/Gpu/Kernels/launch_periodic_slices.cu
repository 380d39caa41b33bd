// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbours on a ring, and places further on, which overlap: only the run knows.
// launch: grid 4 block 16
// x: active 90
// y: active 60
// n: 60
// shift: 30
// planted: tests
// also: hip
#include "gpu.h"
__device__ void body(const double *__restrict__ x, double *__restrict__ y, int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[(i + 1) % n] * x[shift + i];
}
