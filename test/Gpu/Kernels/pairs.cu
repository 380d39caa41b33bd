// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two numbers a thread, side by side.
// launch: grid 2 block 32
// x: active 128
// y: active 64
// also: hip
#include "gpu.h"
__device__ void body(const double *x, double *y) {
  int i = globalThread();
  y[i] = x[2 * i] * x[2 * i + 1] + hypot(x[2 * i], 2.0);
}
