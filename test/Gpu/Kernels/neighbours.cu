// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil of three points from memory that all threads share.
// launch: grid 3 block 32
// x: active 90
// y: active 90
// n: 90
// also: hip
// planted: atomics
#include "gpu.h"
__device__ void body(const double *x, double *y, int n) {
  int i = globalThread();
  if (i > 0 && i < n - 1)
    y[i] = x[i - 1] * x[i] - 2 * x[i] + x[i + 1] * x[i + 1];
}
