// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a block share a number.
// launch: grid 2 block 64
// w: active 2
// x: active 128
// y: active 128
// also: hip
// planted: atomics
#include "gpu.h"
__device__ void body(const double *w, const double *x, double *y) {
  int i = globalThread();
  y[i] = w[blockIdx.x] * x[i] + w[blockIdx.x] * w[blockIdx.x];
}
