// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same memory is overwritten twice, and read between.
// launch: grid 2 block 32
// x: active 64
// y: active 64
// also: hip
#include "gpu.h"
__device__ void body(double *x, double *y) {
  int i = globalThread();
  x[i] = x[i] * x[i];
  y[i] += x[i];
  x[i] = sin(x[i]) * y[i];
  y[i] *= x[i];
}
