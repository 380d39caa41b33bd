// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One number a thread; the last block is not full.
// launch: grid 3 block 32
// x: active 80
// y: active 80
// n: 80
// also: hip
// result: y = [math.sin(a) * b + 2.5 * a for a, b in zip(x, y)]
#include "gpu.h"
__device__ void body(const double *x, double *y, int n) {
  int i = globalThread();
  if (i < n)
    y[i] = sin(x[i]) * y[i] + 2.5 * x[i];
}
