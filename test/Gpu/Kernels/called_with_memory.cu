// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that is not inlined and changes memory.
// launch: grid 2 block 32
// x: active 64
// y: active 64
#include "gpu.h"
__device__ __noinline__ void update(const double *x, double *y, int i, double w) {
  y[i] = y[i] * w + x[i] * x[i];
}
__device__ void body(const double *x, double *y) {
  int i = globalThread();
  update(x, y, i, 0.5);
  update(x, y, i, y[i]);
}
