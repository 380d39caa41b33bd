// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads that promise that nobody writes.
// launch: grid 2 block 32
// x: active 64
// w: active 8
// y: active 64
// also: hip
#include "gpu.h"
__device__ void body(const double *x, const double *w, double *y) {
  int i = globalThread();
  y[i] = __ldg(&x[i]) * __ldg(&w[i % 8]) + __ldg(&w[0]);
}
