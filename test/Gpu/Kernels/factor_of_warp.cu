// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lanes of a warp share a number.
// launch: grid 2 block 128
// w: active 8
// x: active 256
// y: active 256
#include "gpu.h"
__device__ void body(const double *w, const double *x, double *y) {
  int i = globalThread();
  y[i] = w[i / 32] * exp(x[i]);
}
