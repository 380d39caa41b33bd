// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last thread reads the first number.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// n: 64
#include "gpu.h"
__device__ void body(const double *x, double *y, int n) {
  int i = globalThread();
  y[n - 1 - i] = 3 * x[i] + 1 / (2 + x[i] * x[i]);
}
